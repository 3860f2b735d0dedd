/** What a host passes to `pm.consume`. */
import type { AnyPublishedEvent } from '../../domain/events';
import type { EventStart } from '../../domain/event-position';
import {
  callback,
  checkOptions,
  integerBetween,
  isRecord,
  milliseconds,
  mustBe,
  optional,
  type Checks,
} from '../../domain/options';

/** What a handler is told about the fact and about its own call. */
export interface ConsumedFact {
  epoch: string;
  /** With `epoch` it names the fact. A handler that must not act twice remembers it. */
  seq: number;
  marketId: number | null;
  /** Counts the attempts at this fact from 1. It begins anew when another instance takes over. */
  attempt: number;
  /**
   * Rises with each change of the owner. A system of your own that remembers the highest one can refuse what
   * an owner does that was paused.
   */
  token: number;
  /** Aborted when this instance stops, or is no longer the owner. What the handler does then may come too late. */
  signal: AbortSignal;
}

/** Handles the events of one fact. When it throws or rejects, it is called again later. */
export type ConsumerHandler = (
  events: readonly AnyPublishedEvent[],
  fact: ConsumedFact,
) => void | Promise<void>;

export interface ConsumerOptions {
  /** Where a consumer begins that the storage does not know yet. Default `now`: after the newest fact. */
  from?: EventStart;
  /**
   * How many facts are handled at once. 1 (the default): one at a time, in order. More: each market keeps its
   * order, and facts without a market keep theirs.
   */
  concurrency?: number;
  /** After so many failed attempts a fact is parked. Default 10. */
  attempts?: number;
  /** The pause after the first failure, in milliseconds. It doubles with each further one. Default 1000. */
  firstPauseMs?: number;
  /** Default 60,000. */
  longestPauseMs?: number;
}

/** What a consumer does, with every option filled in. */
export interface ConsumerDefinition extends Required<ConsumerOptions> {
  name: string;
  handler: ConsumerHandler;
}

const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;
export const isConsumerName = (value: unknown): value is string =>
  typeof value === 'string' && NAME.test(value);

const aName = mustBe(
  '1 to 64 lower-case letters, digits, dots, hyphens and underscores, the first one a letter or a digit',
  isConsumerName,
);

export function isEventStart(value: unknown): value is EventStart {
  if (value === 'oldest' || value === 'now') return true;
  if (!isRecord(value)) return false;
  return (
    typeof value['epoch'] === 'string' && Number.isSafeInteger(value['seq']) && Number(value['seq']) >= 0
  );
}

const CHECKS: Checks<ConsumerOptions> = {
  from: optional(mustBe('"now", "oldest" or a position { epoch, seq }', isEventStart)),
  concurrency: optional(integerBetween(1, 64)),
  attempts: optional(integerBetween(1, 1_000)),
  firstPauseMs: optional(milliseconds),
  longestPauseMs: optional(milliseconds),
};

/** @throws TypeError or RangeError with one sentence that names what is wrong. */
export function consumerDefinition(
  name: string,
  handler: ConsumerHandler,
  options: ConsumerOptions = {},
): ConsumerDefinition {
  aName(name, { factory: 'consume', path: 'the name' });
  callback(handler, { factory: 'consume', path: 'the handler' });
  checkOptions('consume', options, CHECKS);
  const {
    from = 'now',
    concurrency = 1,
    attempts = 10,
    firstPauseMs = 1_000,
    longestPauseMs = 60_000,
  } = options;
  return { name, handler, from, concurrency, attempts, firstPauseMs, longestPauseMs };
}
