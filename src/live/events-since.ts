/**
 * `pm.events.since`: the events after a position. Each iterator reads the storage page by page and keeps one page
 * in memory, so a slow reader costs little.
 */
import { backOffMs } from '../domain/back-off';
import { isPredictionMarketError } from '../domain/errors';
import type { EventPosition } from '../domain/event-position';
import type { AnyPublishedEvent } from '../domain/events';
import { fractionOf } from '../ports/random';
import type { Reader } from '../ports/storage';
import { awaitedTimers, type Timers } from '../ports/timers';
import type { Context } from '../usecases/context';
import { checkPosition, factsAfter } from '../usecases/facts/read-facts';
import { createWakeSignal } from './wake-signal';
import { expandOrSkip, type Relay } from './relay';

const PAGE = 100;
const POLL_MS = 1_000;
/** The first and the longest pause between two attempts to read from a storage that does not answer. */
const OUTAGE = { firstMs: 100, longestMs: 5_000 };

export interface SinceOptions {
  /** The iteration ends when this signal is aborted. */
  signal?: AbortSignal | undefined;
}

export interface EventIterators {
  /**
   * The events of all facts after the position, in order. After the newest fact, the iteration waits for further
   * facts. It also waits while the storage is away. It rejects with an `EventPositionError` when it cannot continue
   * without leaving facts out, and with SERVICE_UNAVAILABLE when it begins before `start`. It ends when the caller
   * leaves its loop, when the signal is aborted, and when the prediction market is closed.
   * @throws TypeError if the position is not `{ epoch, seq }`.
   */
  since(position: EventPosition, options?: SinceOptions): AsyncIterableIterator<AnyPublishedEvent>;
}

export interface ClosableEventIterators extends EventIterators {
  close(): void;
}

export interface EventIteratorsOptions {
  context: Pick<Context, 'storage' | 'random' | 'logger'>;
  relay: Pick<Relay, 'follow'>;
  /** Throws before the start and after the close. */
  requireStarted: () => void;
  timers?: Pick<Timers, 'after'> | undefined;
}

export function createEventIterators(options: EventIteratorsOptions): ClosableEventIterators {
  const closing = new AbortController();
  return {
    since(position, { signal } = {}) {
      checkArgument(position);
      const ending = new AbortController();
      const events = eventsAfter(
        options,
        position,
        [closing.signal, signal].filter((end) => end !== undefined),
        ending,
      );
      return {
        next: () => events.next(),
        // An iteration that waits for new facts has to be woken before it can end.
        return() {
          ending.abort();
          return events.return(undefined);
        },
        [Symbol.asyncIterator]() {
          return this;
        },
      };
    },
    close: () => closing.abort(),
  };
}

async function* eventsAfter(
  { context, relay, requireStarted, timers = awaitedTimers }: EventIteratorsOptions,
  start: EventPosition,
  ends: readonly AbortSignal[],
  ending: AbortController,
): AsyncGenerator<AnyPublishedEvent, undefined> {
  const { signal } = ending;
  const end = (): void => ending.abort();
  if (ends.some(({ aborted }) => aborted)) return;
  requireStarted();
  const wakeSignal = createWakeSignal(timers);
  const unfollow = relay.follow(wakeSignal.wake);
  for (const other of ends) other.addEventListener('abort', end);
  try {
    await persistent(context, (reader) => checkPosition(reader, start));
    let position = start;
    while (!signal.aborted) {
      const after = position;
      const facts = await persistent(context, (reader) => factsAfter(reader, after, PAGE));
      for (const fact of facts ?? []) {
        for (const event of expandOrSkip(fact, context.logger)) {
          if (signal.aborted) return;
          yield event;
        }
        position = { ...position, seq: fact.seq };
      }
      if (facts?.length === 0) await wakeSignal.wait(POLL_MS, signal);
    }
  } finally {
    unfollow();
    for (const other of ends) other.removeEventListener('abort', end);
  }

  /** Repeats the read until the storage answers. `undefined` if the iteration has to end before that. */
  async function persistent<T>(
    { storage, random, logger }: EventIteratorsOptions['context'],
    read: (reader: Reader) => Promise<T>,
  ): Promise<T | undefined> {
    for (let failures = 1; !signal.aborted; failures += 1) {
      try {
        return await storage.read(read);
      } catch (err) {
        if (!isPredictionMarketError(err) || err.code !== 'SERVICE_UNAVAILABLE') throw err;
        logger.warn({ err, failures }, 'events.since waits for the storage');
        await wakeSignal.wait(backOffMs(failures, OUTAGE, fractionOf(random)), signal);
      }
    }
    return undefined;
  }
}

function checkArgument(position: unknown): void {
  const given = typeof position === 'object' && position !== null ? position : {};
  const { epoch, seq } = given as Partial<EventPosition>;
  if (typeof epoch === 'string' && Number.isSafeInteger(seq) && Number(seq) >= 0) return;
  throw new TypeError(
    'events.since: the position must be { epoch, seq } with a text and a whole number from 0',
  );
}
