/** Which requests are sent again, and when. Pure: time and chance are arguments. */
import type { AttemptResult, Lost, Refused } from './attempt';
import type { CallOutcome } from './errors';

/**
 * Why the same request may be sent again. `read`: the request changes nothing. `keyed`: it carries an idempotency key
 * or a reference, so the service carries it out once. `paid`: it carries a signed payment, which is charged once.
 * `never`: it is not sent again, because the service could carry it out twice.
 */
export type Repeatable = 'read' | 'keyed' | 'paid' | 'never';

/** A proxy in front of the service answers with these statuses while it cannot reach the service. */
const AWAY = new Set([502, 503, 504]);

/**
 * Refusals that every copy of a keyed request gets. Copies of a paid call can get different answers: a resolve date
 * that was valid for the first copy may be too early for the second.
 */
const OF_EVERY_COPY = new Set(['VALIDATION_ERROR', 'IDEMPOTENCY_CONFLICT']);

/** Refusals with a status from 500 on that say that nothing was done. */
const NOTHING_DONE = new Set(['FACILITATOR_UNAVAILABLE', 'ORACLE_UNAVAILABLE']);

export type Failure = Refused | Lost;

/** Whether to send the request once more. */
export function isWorthRepeating(failure: Failure, repeatable: Repeatable): boolean {
  if (repeatable === 'never' || failure.code === 'ABORTED') return false;
  if (failure.kind === 'lost') return failure.code !== 'UNEXPECTED_ANSWER' || AWAY.has(failure.status);
  return [429, 503].includes(failure.status) || isAtWork(failure);
}

/**
 * While the service works on a payment, it refuses a second copy of the payment with 402 and `Retry-After`. A later
 * copy gets the answer.
 */
const isAtWork = (failure: Refused): boolean => failure.status === 402 && failure.headers.has('retry-after');

/**
 * What is known about a failed request after all of its attempts. A refusal tells only about its own attempt: an
 * earlier copy may arrive later and be carried out.
 */
export function outcomeOf(failure: Failure, repeatable: Repeatable, unknownBefore: boolean): CallOutcome {
  if (repeatable === 'read') return 'refused';
  if (failure.kind === 'lost' || isAtWork(failure)) return 'unknown';
  if (failure.status >= 500 && !NOTHING_DONE.has(failure.code)) return 'unknown';
  if (repeatable === 'keyed' && OF_EVERY_COPY.has(failure.code)) return 'refused';
  return unknownBefore ? 'unknown' : 'refused';
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 8_000;
/** A random time up to this is added to `Retry-After`, so that clients do not all return at once. */
const SPREAD_MS = 500;

/** The pause before the next attempt. It is at least as long as `Retry-After` of the answer. */
export function pauseMs(attempts: number, retryAfterSeconds: number | null, chance: number): number {
  if (retryAfterSeconds !== null) return Math.round(retryAfterSeconds * 1000 + SPREAD_MS * chance);
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(attempts - 1, 20), LONGEST_PAUSE_MS);
  return Math.round(pause * (0.5 + 0.5 * chance));
}

/** The seconds of `Retry-After`, also if the header contains a date. Null without a readable header. */
export function retryAfterOf(result: AttemptResult, now: number): number | null {
  const text = result.headers?.get('retry-after')?.trim() ?? '';
  if (/^\d{1,9}(\.\d+)?$/.test(text)) return Number(text);
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / 1000));
}
