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

/** The second argument of a handler. It identifies the fact and describes this call of the handler. */
export interface ConsumedFact {
  /** The name of the sequence of facts. */
  epoch: string;
  /** `seq` and `epoch` together name the fact. A handler that must not act twice remembers both. */
  seq: number;
  /** The market of the fact; `null` if the fact belongs to no market. */
  marketId: number | null;
  /**
   * The number of the attempt at this fact, from 1. When `token` rises, the count begins at 1 again. The count
   * of a parked fact is stored, and goes on.
   */
  attempt: number;
  /**
   * The token rises with each change of the owner. If your own system remembers the highest token, it can
   * refuse the actions of an owner that was paused.
   */
  token: number;
  /**
   * Aborted when this instance stops, or may no longer be the owner. Another instance may then handle the fact
   * too.
   */
  signal: AbortSignal;
}

/**
 * Handles the events of one fact. A returned promise is awaited, and its value does not matter. After an error,
 * the handler is called again later, until the fact is parked.
 */
export type ConsumerHandler = (events: readonly AnyPublishedEvent[], fact: ConsumedFact) => unknown;

export interface ConsumerOptions {
  /**
   * Where a new consumer begins. A consumer that is stored already continues at its position. Default `now`,
   * which is after the newest fact.
   */
  from?: EventStart | undefined;
  /**
   * How many facts are handled at once. With 1 (the default), facts are handled one at a time, in order. With
   * more, the facts of each market keep their order, and so do the facts without a market.
   */
  concurrency?: number | undefined;
  /** After this many failed attempts, a fact is parked. Default 10. */
  attempts?: number | undefined;
  /**
   * The pause after the first failure, in milliseconds. The pause doubles with each further failure. Each pause
   * is up to a tenth shorter or longer. Default 1000.
   */
  firstPauseMs?: number | undefined;
  /** The pause stops doubling at this length, in milliseconds. Default 60,000. */
  longestPauseMs?: number | undefined;
}

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
