/**
 * The work on a claimed payment. Before any charge, the facilitator verifies the payment, and a question to
 * the oracle is answered. Then the payment is stored as `submitted`, and the facilitator settles it.
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
  storeAndRunCall,
  overtaken,
  reject,
  giveUp,
  type PaymentContext,
  type PaymentOutcome,
} from './payment-outcomes';
import { dropClaim, takeStep } from './payment-lease';
import { settleVerified, SPENT_ELSEWHERE } from './settle-payment';

export async function workOnClaimed(context: PaymentContext, record: PaymentRecord): Promise<PaymentOutcome> {
  const verified = await verify(context, record, context.timers);
  if (verified.status === 'invalid') return reject(context, record, verified.reason);
  if (verified.status === 'insufficient_funds') return reject(context, record, INSUFFICIENT_FUNDS);
  if (verified.status === 'unavailable')
    return giveUp(context, record, facilitatorUnavailable(verified.reason));
  // Another sender has submitted the authorization. If its transfer paid us after this request came, the
  // transfer counts as the payer's payment.
  const paid = verified.status === 'spent' ? await lookUp(context, record, context.timers) : null;
  if (paid?.status === 'invalid') return reject(context, record, paid.reason);
  const isOurs = paid?.status === 'settled' ? wasPresentedFirst(record, paid, context.clock.now()) : null;
  if (isOurs === false) return reject(context, record, SPENT_ELSEWHERE);
  if (paid !== null && (paid.status !== 'settled' || isOurs === null)) {
    return giveUp(context, record, facilitatorUnavailable('the fate of a spent authorization is not known'));
  }
  let answer: StoredAnswer | null;
  try {
    answer = await answerBeforeCharge(context, commandOf(record));
  } catch (error) {
    if (isPredictionMarketError(error)) return giveUp(context, record, error);
    await dropClaim(context, record);
    throw error;
  }
  if (paid !== null) return storeAndRunCall(context, { ...record, answer }, paid.transaction);
  const now = context.clock.now();
  const submitted = await takeStep(context, record, (stored) =>
    advancePayment(stored, 'submitted', { answer, now }),
  );
  return submitted.taken
    ? settleVerified(context, submitted.stored)
    : overtaken(context, record, submitted.stored);
}
