/**
 * The part of a payment before any charge: the facilitator verifies the payment, and a call whose answer does
 * not depend on the charge is answered. Then the payment is stored as submitted and settled.
 */
import { isPredictionMarketError } from '../../domain/errors';
import {
  advancePayment,
  wasPresentedFirst,
  type PaymentRecord,
  type StoredAnswer,
} from '../../domain/payments';
import { lookUp, verify } from './ask-facilitator';
import { answerBeforeCharge } from './paid-commands';
import { facilitatorUnavailable, INSUFFICIENT_FUNDS } from './payment-errors';
import {
  commandOf,
  finish,
  overtaken,
  reject,
  release,
  type PaymentContext,
  type PaymentOutcome,
} from './payment-ends';
import { dropClaim, takeStep } from './payment-lease';
import { settleVerified, SPENT_ELSEWHERE } from './settle-payment';

export async function verifyAndSettle(
  context: PaymentContext,
  record: PaymentRecord,
): Promise<PaymentOutcome> {
  const verified = await verify(context, record, context.timers);
  if (verified.status === 'invalid') return reject(context, record, verified.reason);
  if (verified.status === 'insufficient_funds') return reject(context, record, INSUFFICIENT_FUNDS);
  if (verified.status === 'unavailable')
    return release(context, record, facilitatorUnavailable(verified.reason));
  // Another sender has submitted the authorization. If it paid us for this request, it counts as the payer's payment.
  const paid = verified.status === 'spent' ? await lookUp(context, record, context.timers) : null;
  if (paid?.status === 'invalid') return reject(context, record, paid.reason);
  const isOurs = paid?.status === 'settled' ? wasPresentedFirst(record, paid, context.clock.now()) : null;
  if (isOurs === false) return reject(context, record, SPENT_ELSEWHERE);
  if (paid !== null && (paid.status !== 'settled' || isOurs === null)) {
    return release(context, record, facilitatorUnavailable('the fate of a spent authorization is not known'));
  }
  let answer: StoredAnswer | null;
  try {
    answer = await answerBeforeCharge(context, commandOf(record));
  } catch (error) {
    if (isPredictionMarketError(error)) return release(context, record, error);
    await dropClaim(context, record);
    throw error;
  }
  if (paid !== null) return finish(context, { ...record, answer }, paid.transaction);
  const now = context.clock.now();
  const submitted = await takeStep(context, record, (stored) =>
    advancePayment(stored, 'submitted', { answer, now }),
  );
  return submitted.taken
    ? settleVerified(context, submitted.stored)
    : overtaken(context, record, submitted.stored);
}
