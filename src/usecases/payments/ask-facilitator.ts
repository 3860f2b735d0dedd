/**
 * Calls the facilitator with a stored payment. If the adapter throws an error, answers with nothing or does not answer
 * in time, `verify` resolves with `unavailable`, and `settle` and `lookUp` with `unknown`.
 */
import type { PaymentRecord } from '../../domain/payments';
import type {
  LookupResult,
  Payment,
  PaymentRequirements,
  SettleResult,
  VerifyResult,
} from '../../ports/facilitator';
import { withinTime } from '../../ports/time-limit';
import { realTimers, type Timers } from '../../ports/timers';
import type { Context } from '../context';

/** The time limit of each call. Some facilitators have no time limit of their own. */
const FACILITATOR_TIME_LIMIT_MS = 25_000;

/** What the payment's row stores for the facilitator, so that another instance can ask it too. */
export interface PaymentDetails {
  payment: Payment;
  requirements: PaymentRequirements;
  /**
   * The kind of money of the instance that claimed the payment, as `moneyOf` names it. Missing if that instance did not
   * know it, or was of an earlier release.
   */
  money?: string;
  /** The first `settle` was refused, and no look-up could tell whether the payment has paid us. */
  isRefused?: true;
}

export async function verify(
  context: Context,
  record: PaymentRecord,
  timers: Timers = realTimers,
): Promise<VerifyResult> {
  const { payment, requirements } = detailsOf(record);
  try {
    return await answerOf(timers, context.facilitator.verify(payment, requirements));
  } catch (err) {
    context.logger.warn({ err, paymentId: record.id }, 'the facilitator did not verify a payment');
    return { status: 'unavailable', reason: 'no answer' };
  }
}

export async function settle(
  context: Context,
  record: PaymentRecord,
  timers: Timers = realTimers,
): Promise<SettleResult> {
  const { payment, requirements } = detailsOf(record);
  try {
    return await answerOf(timers, context.facilitator.settle(payment, requirements));
  } catch (err) {
    context.logger.error({ err, paymentId: record.id }, 'the facilitator did not say whether it settled');
    return { status: 'unknown', reason: 'no answer' };
  }
}

export async function lookUp(
  context: Context,
  record: PaymentRecord,
  timers: Timers = realTimers,
): Promise<LookupResult> {
  const { payment, requirements } = detailsOf(record);
  try {
    return await answerOf(timers, context.facilitator.lookup(payment, requirements));
  } catch (err) {
    context.logger.warn({ err, paymentId: record.id }, 'the facilitator could not look up a payment');
    return { status: 'unknown', reason: 'no answer' };
  }
}

/** Rejects if the facilitator does not answer in time, or answers with nothing, as an adapter without types may do. */
async function answerOf<T extends object>(timers: Timers, call: Promise<T | null | undefined>): Promise<T> {
  const answer = await withinTime(timers, FACILITATOR_TIME_LIMIT_MS, call);
  if (answer === undefined || answer === null) throw new TypeError('the facilitator answered with nothing');
  return answer;
}

export function detailsOf(record: PaymentRecord): PaymentDetails {
  return JSON.parse(record.payment) as PaymentDetails;
}
