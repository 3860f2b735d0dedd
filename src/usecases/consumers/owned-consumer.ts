/**
 * The work of the instance that owns a consumer. It reads facts page by page, calls the handler, and stores the
 * position after the finished facts. It renews the lease by a timer, because a handler may take long. When it
 * cannot be sure of the lease, it begins no further call.
 */
import { backOffMs } from '../../domain/back-off';
import type { ParkedFact } from '../../domain/consumers';
import type { LocalEventMap } from '../../domain/events';
import { createFactWindow } from '../../domain/fact-window';
import { eventsOfFact } from '../../events/expansion';
import { steadyNow } from '../../ports/clock';
import { fractionOf } from '../../ports/random';
import type { Timers } from '../../ports/timers';
import type { Context } from '../context';
import { factsAfter, type Fact } from '../facts/read-facts';
import type { ConsumerDefinition } from './options';
import {
  CONSUMER_LEASE_MS,
  endTenure,
  keepTenure,
  MOST_PARKED,
  storeRedone,
  type BegunTenure,
  type Progress,
} from './tenure';

const PAGE = 100;
/**
 * How far ahead of a waiting market the facts of other markets are handled. A new owner would handle these
 * facts again.
 */
const FURTHEST_AHEAD = 1_000;
const RENEWAL_MS = 5_000;
/** The longest time between two writes of the position while facts are handled. */
const CHECKPOINT_MS = 1_000;
/** No call of the handler begins this shortly before the lease ends. */
const MARGIN_MS = 2_000;
const REDONE_PER_RUN = 10;
const LONGEST_ERROR = 500;

export interface WorkerDependencies {
  context: Pick<Context, 'storage' | 'clock' | 'clockIsSteady' | 'random' | 'logger'>;
  timers: Pick<Timers, 'after'>;
  /** Called as a hint that a pause after a failure is over. */
  wake: () => void;
  onParked: (parked: LocalEventMap['consumer.parked']) => void;
}

export interface OwnedConsumer {
  /** Handles the facts that can be handled now. Never called twice at a time. */
  run(stopping: AbortSignal): Promise<void>;
  /** Whether another instance may be the owner. */
  isLost(): boolean;
  /** Writes the position and gives the lease back. Called after the last run. */
  end(): Promise<void>;
}

/** Owns a consumer. `beganAt` is an instant before the lease was taken, by `steadyNow`. */
export function ownConsumer(
  { context, timers, wake, onParked }: WorkerDependencies,
  definition: ConsumerDefinition,
  begun: BegunTenure,
  beganAt: number,
): OwnedConsumer {
  const { storage, clock, random, logger } = context;
  const { name, epoch, token } = begun;
  const window = createFactWindow<Fact>(begun.seq, { byMarket: definition.concurrency > 1 });
  const ending = new AbortController();
  const running = new Map<number, Promise<void>>();
  const pauses = new Set<() => void>();
  let { parked } = begun;
  let lastError: string | null = null;
  let keptAt = beganAt;
  let written: Progress = { seq: begun.seq, failures: 0, lastError };
  let isLost = false;
  let writing: Promise<void> = Promise.resolve();
  let callOffRenewal = timers.after(RENEWAL_MS, renew);

  const progress = (): Progress => ({ seq: window.position(), failures: window.failures(), lastError });
  const isSure = (): boolean => !isLost && steadyNow(clock) - keptAt < CONSUMER_LEASE_MS - MARGIN_MS;
  const mayBegin = (): boolean => !ending.signal.aborted && parked < MOST_PARKED;

  function lose(): void {
    if (isLost) return;
    isLost = true;
    logger.warn({ consumer: name }, 'this instance is no longer the owner of a consumer');
    stopTimers();
    ending.abort();
  }

  function stopTimers(): void {
    callOffRenewal();
    for (const callOff of pauses) callOff();
    pauses.clear();
  }

  /** Writes one after another, so that the position never goes back. */
  function inOrder(write: () => Promise<boolean>): Promise<void> {
    const result = writing.then(async () => {
      if (isLost) return;
      const startedAt = steadyNow(clock);
      if (await write()) keptAt = startedAt;
      else lose();
    });
    writing = result.catch(() => undefined);
    return result;
  }

  function keep(toPark: ParkedFact | null = null): Promise<void> {
    return inOrder(async () => {
      const reached = progress();
      const isOwner = await keepTenure(context, begun, reached, toPark);
      if (isOwner) written = reached;
      return isOwner;
    });
  }

  async function keepIfMoved(): Promise<void> {
    const { seq, failures } = progress();
    if (seq !== written.seq || failures !== written.failures) await keep();
  }

  function renew(): void {
    keep()
      .catch((err: unknown) => {
        logger.warn({ err, consumer: name }, 'the lease of a consumer was not renewed');
        if (!isSure()) lose();
      })
      .finally(() => {
        if (!isLost && !ending.signal.aborted) callOffRenewal = timers.after(RENEWAL_MS, renew);
      });
  }

  /** Calls the handler for a fact. Resolves with `null`, or with the error of the handler. */
  async function attempt(
    fact: Fact,
    its: { epoch: string; attempt: number },
  ): Promise<{ error: unknown } | null> {
    const { seq, marketId } = fact;
    try {
      const events = eventsOfFact(fact);
      // A fact of a newer version of the service becomes no event, so there is nothing to handle.
      if (events.length > 0)
        await definition.handler(events, { ...its, seq, marketId, token, signal: ending.signal });
      return null;
    } catch (error) {
      return { error };
    }
  }

  async function handle(fact: Fact): Promise<void> {
    const failed = await attempt(fact, { epoch, attempt: window.failuresOf(fact) + 1 });
    if (failed === null) return window.finish(fact);
    // The handler may have failed because it was told to stop.
    if (ending.signal.aborted) return window.release(fact);
    const failures = window.fail(fact);
    lastError = textOf(failed.error);
    logger.warn(
      { err: failed.error, consumer: name, seq: fact.seq, failures },
      'the handler of a consumer failed',
    );
    if (failures >= definition.attempts && (await park(fact, failures, lastError)))
      return window.finish(fact);
    pause(fact, failures);
  }

  async function park({ seq, ...fact }: Fact, failures: number, error: string): Promise<boolean> {
    if (parked >= MOST_PARKED) return false;
    parked += 1;
    try {
      const parkedAt = clock.now();
      await keep({ consumer: name, epoch, seq, fact, failures, error, parkedAt, redo: false });
    } catch (err) {
      parked -= 1;
      logger.warn({ err, consumer: name, seq }, 'a fact could not be parked, and is tried again');
      return false;
    }
    if (isLost) return false;
    logger.error({ consumer: name, seq, failures, error }, 'a consumer has parked a fact');
    onParked({ consumer: name, epoch, seq, failures, error });
    return true;
  }

  function pause(fact: Fact, failures: number): void {
    const { firstPauseMs: firstMs, longestPauseMs: longestMs } = definition;
    if (isLost) return;
    const callOff = timers.after(backOffMs(failures, { firstMs, longestMs }, fractionOf(random)), () => {
      pauses.delete(callOff);
      window.release(fact);
      wake();
    });
    pauses.add(callOff);
  }

  async function beginCalls(): Promise<void> {
    while (running.size < definition.concurrency && mayBegin()) {
      if (!isSure()) await keep();
      const fact = mayBegin() ? window.take() : null;
      if (fact === null) return;
      running.set(
        fact.seq,
        handle(fact).finally(() => running.delete(fact.seq)),
      );
    }
  }

  async function handleAll(): Promise<void> {
    let mayBeMore = true;
    const hasRoom = (): boolean =>
      mayBeMore &&
      mayBegin() &&
      window.size() <= PAGE / 2 &&
      window.newest() - window.position() < FURTHEST_AHEAD;
    while (!ending.signal.aborted) {
      if (hasRoom()) {
        const after = { epoch, seq: window.newest() };
        const facts = await storage.read((reader) => factsAfter(reader, after, PAGE));
        window.add(facts);
        mayBeMore = facts.length > 0;
      }
      await beginCalls();
      if (running.size > 0) await Promise.race(running.values());
      else if (!hasRoom()) return;
      if (steadyNow(clock) - keptAt >= CHECKPOINT_MS || window.position() - written.seq >= PAGE) await keep();
    }
  }

  /**
   * Handles the parked facts that operators have marked for another attempt. Operators may have removed parked
   * facts too.
   */
  async function redo(): Promise<void> {
    if (parked === 0) return;
    const query = { consumer: name, limit: REDONE_PER_RUN, offset: 0 };
    const waiting = await storage.read((reader) => reader.consumers.listParked({ ...query, redo: true }));
    for (const parkedFact of waiting.parked) {
      if (!isSure()) await keep();
      if (ending.signal.aborted) return;
      const { fact, seq, epoch: itsEpoch } = parkedFact;
      const failures = parkedFact.failures + 1;
      const failed = await attempt({ ...fact, seq }, { epoch: itsEpoch, attempt: failures });
      if (failed !== null && ending.signal.aborted) return;
      const result = failed === null ? null : { failures, error: textOf(failed.error) };
      await inOrder(() => storeRedone(context, begun, parkedFact, result));
    }
    parked = (await storage.read((reader) => reader.consumers.listParked({ ...query, limit: 1 }))).total;
  }

  return {
    async run(stopping) {
      const stop = (): void => ending.abort();
      if (stopping.aborted) stop();
      stopping.addEventListener('abort', stop);
      try {
        await redo();
        await handleAll();
      } finally {
        stopping.removeEventListener('abort', stop);
        await Promise.all(running.values());
      }
      await keepIfMoved();
    },
    isLost: () => isLost,
    async end() {
      ending.abort();
      stopTimers();
      await writing;
      if (!isLost && running.size === 0) await endTenure(context, begun, progress());
      isLost = true;
    },
  };
}

/** The text of an error that the storage can keep. Some databases cannot store every character. */
function textOf(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return text.slice(0, LONGEST_ERROR).replaceAll(/[\0\p{Cs}]/gu, '\ufffd');
}
