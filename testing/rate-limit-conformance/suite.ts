import type { Logger } from '../../src/ports/logger';
import type { FailureCounter, RateLimitBackend, RollingWindow } from '../../src/ports/rate-limit';
import { listOf, type Check } from '../conformance/check';
import { ContractBroken } from '../conformance/failure';
import { createKit, DEFAULT_TIME_LIMIT_MS, type Kit } from '../conformance/kit';
import { faultsOfTarget, type Members } from '../conformance/members';
import type { ConformanceRunner } from '../conformance/runner';
import { printed, tellsSecret } from '../conformance/secrets';
import { comesTrue, type Watch } from '../conformance/watch';
import { faultOfAnswer } from './answers';
import { RATE_LIMIT_CONTRACT, type RateLimitSentence } from './contract';
import { HOOKS } from './hook-names';
import type { RateLimitConformanceTarget, RateLimitUnderTest } from './types';

/** A backend whose calls are observed. A malformed answer ends the check. */
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
  hooks: Pick<
    RateLimitUnderTest,
    'another' | 'cutOff' | 'refuse' | 'failWith' | 'garble' | 'redirect' | 'secrets'
  >;
  /** How long the service may wait for `start`. */
  longestStartMs: number;
  /** Whether `look` becomes true within half of the check's time limit. */
  until(look: () => Promise<boolean>): Promise<boolean>;
  /** This backend and, if counts are shared, another backend. Both are started. */
  instances(): Promise<[WatchedBackend, WatchedBackend]>;
  /** A further backend, which is started. If counts are not shared, this is `backend` itself. */
  further(): Promise<WatchedBackend>;
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
    rejected: (method, cited) =>
      cited === 'always' || method === 'close' ? 'always' : method === 'start' ? 'starts' : 'waits',
    create: () => target.create(),
    faults: (made) => faultsOfTarget(made, 'backend', MEMBERS),
    hooks: HOOKS,
    open(made, watch) {
      const { another, cutOff, refuse, failWith, garble, redirect, secrets } = made;
      const opened: RateLimitBackend[] = [made.backend];
      const logger = secretFinder(watch, listOf(secrets));
      const backend = watched(made.backend, watch, logger);
      async function further(): Promise<WatchedBackend> {
        if (!another) return backend;
        const next = await another();
        opened.push(next);
        const observed = watched(next, watch, logger);
        await observed.start();
        return observed;
      }
      return {
        context: {
          backend,
          hooks: { another, cutOff, refuse, failWith, garble, redirect, secrets },
          longestStartMs: timeLimitMs / 4,
          until: (look) => comesTrue(look, timeLimitMs / 2),
          async instances() {
            await backend.start();
            return [backend, await further()];
          },
          further,
        },
        async end() {
          for (const one of opened) await one.close?.();
          await made.destroy();
        },
      };
    },
  });
}

/** A logger that ends the check when a line contains a secret. */
function secretFinder(watch: Watch, secrets: readonly string[]): Logger {
  const look = (fields: object, message: string): void => {
    if (!tellsSecret(`${message} ${printed(fields)}`, secrets)) return;
    const seen = 'a log line contains a secret';
    const cure = 'Log the address and the cause without it.';
    watch.report(new ContractBroken(RATE_LIMIT_CONTRACT, 'secret', { seen, cure }));
  };
  return { debug: look, info: look, warn: look, error: look };
}

function watched(backend: RateLimitBackend, watch: Watch, logger: Logger): WatchedBackend {
  return {
    name: backend.name,
    window: oncePerLength((windowMs) => {
      const window = backend.window(windowMs);
      return {
        hit: (...input) => answer('hit', () => window.hit(...input)),
        peek: (...input) => answer('peek', () => window.peek(...input)),
      };
    }),
    failures: oncePerLength((windowMs) => {
      const failures = backend.failures(windowMs);
      return {
        count: (...input) => answer('count', () => failures.count(...input)),
        record: (...input) => watch.call('record', () => failures.record(...input)),
      };
    }),
    start: () => watch.call('start', () => backend.start?.({ logger })),
    close: () => watch.call('close', () => backend.close?.()),
  };

  async function answer<T>(method: 'hit' | 'peek' | 'count', make: () => Promise<T> | T): Promise<T> {
    const given = await watch.call(method, make);
    const fault = faultOfAnswer(method, given);
    if (fault === null) return given;
    watch.report(new ContractBroken(RATE_LIMIT_CONTRACT, fault.sentence, fault));
    return watch.reported;
  }
}

/** Makes one counter for each window length, and keeps it. */
function oncePerLength<T>(make: (windowMs: number) => T): (windowMs: number) => T {
  const made = new Map<number, T>();
  return (windowMs) => {
    const known = made.get(windowMs) ?? make(windowMs);
    made.set(windowMs, known);
    return known;
  };
}
