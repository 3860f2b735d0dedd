import { silentLogger } from '../../src/ports/logger';
import type { FailureCounter, RateLimitBackend, RollingWindow } from '../../src/ports/rate-limit';
import type { Check } from '../conformance/check';
import { createKit, DEFAULT_TIME_LIMIT_MS, type Kit } from '../conformance/kit';
import { faultsOfTarget, type Members } from '../conformance/members';
import type { ConformanceRunner } from '../conformance/runner';
import { comesTrue, type Watch } from '../conformance/watch';
import { RATE_LIMIT_CONTRACT, type RateLimitSentence } from './contract';
import type { RateLimitConformanceTarget, RateLimitUnderTest } from './types';

/** A backend whose calls are observed. */
export interface WatchedBackend {
  readonly name: string;
  window(windowMs: number): AsyncWindow;
  failures(windowMs: number): AsyncFailures;
  start(): Promise<void>;
  close(): Promise<void>;
}

type Answer<Method extends (...input: never[]) => unknown> = (
  ...input: Parameters<Method>
) => Promise<Awaited<ReturnType<Method>>>;

export interface AsyncWindow {
  hit: Answer<RollingWindow['hit']>;
  peek: Answer<RollingWindow['peek']>;
}

export interface AsyncFailures {
  count: Answer<FailureCounter['count']>;
  record: Answer<FailureCounter['record']>;
}

export interface RateLimitContext {
  backend: WatchedBackend;
  hooks: Pick<RateLimitUnderTest, 'another' | 'cutOff' | 'refuse' | 'failWith'>;
  /** Whether `look` becomes true within half of the check's time limit. */
  until(look: () => Promise<boolean>): Promise<boolean>;
  /** This backend and, if counts are shared, another backend. Both are started. */
  instances(): Promise<[WatchedBackend, WatchedBackend]>;
}

export type RateLimitSuite = Kit<RateLimitContext, RateLimitSentence>;
export type RateLimitTest = RateLimitContext & { check: Check<RateLimitSentence> };

const MEMBERS: Members<RateLimitBackend> = {
  name: 'a text',
  window: 'a method',
  failures: 'a method',
  start: 'a method?',
  close: 'a method?',
};

export function createRateLimitSuite(
  runner: ConformanceRunner,
  target: RateLimitConformanceTarget,
): RateLimitSuite {
  const { timeLimitMs = DEFAULT_TIME_LIMIT_MS } = target;
  return createKit<RateLimitUnderTest, RateLimitContext, RateLimitSentence>(runner, {
    ...target,
    contract: RATE_LIMIT_CONTRACT,
    create: () => target.create(),
    faults: (made) => faultsOfTarget(made, 'backend', MEMBERS),
    open(made, watch) {
      const { another, cutOff, refuse, failWith } = made;
      const opened: RateLimitBackend[] = [made.backend];
      const backend = watched(made.backend, watch);
      return {
        context: {
          backend,
          hooks: { another, cutOff, refuse, failWith },
          until: (look) => comesTrue(look, timeLimitMs / 2),
          async instances() {
            await backend.start();
            if (!another) return [backend, backend];
            const second = await another();
            opened.push(second);
            const other = watched(second, watch);
            await other.start();
            return [backend, other];
          },
        },
        async end() {
          for (const one of opened) await one.close?.();
          await made.destroy();
        },
      };
    },
  });
}

function watched(backend: RateLimitBackend, watch: Watch): WatchedBackend {
  return {
    name: backend.name,
    window: oncePerLength((windowMs) => {
      const window = backend.window(windowMs);
      return {
        hit: (...input) => watch.call('hit', () => window.hit(...input)),
        peek: (...input) => watch.call('peek', () => window.peek(...input)),
      };
    }),
    failures: oncePerLength((windowMs) => {
      const failures = backend.failures(windowMs);
      return {
        count: (...input) => watch.call('count', () => failures.count(...input)),
        record: (...input) => watch.call('record', () => failures.record(...input)),
      };
    }),
    start: () => watch.call('start', () => backend.start?.({ logger: silentLogger })),
    close: () => watch.call('close', () => backend.close?.()),
  };
}

/** Makes one counter for each window length and keeps it, as the service does. */
function oncePerLength<T>(make: (windowMs: number) => T): (windowMs: number) => T {
  const made = new Map<number, T>();
  return (windowMs) => {
    const known = made.get(windowMs) ?? make(windowMs);
    made.set(windowMs, known);
    return known;
  };
}
