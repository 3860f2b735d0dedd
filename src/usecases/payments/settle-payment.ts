/**
 * The part of the work in which the payer may be charged. The facilitator settles the payment, or looks up
 * what became of an earlier submission.
 *
 * If the facilitator refuses the first submission, and a look-up does not find the transfer, the payment is rejected.
 * If the facilitator has submitted nothing because it is away, the claim is deleted after such a look-up.
 * The refusal of a later submission rejects nothing, because the first submission may still be under way.
 */
import { firstUseOf, isWindowOpen, isWindowPast, type PaymentRecord } from '../../domain/payments';
import type { LookupResult, SettledAuthorization, SettleResult } from '../../ports/facilitator';
import { detailsOf, lookUp, settle } from './ask-facilitator';
import { facilitatorUnavailable, INSUFFICIENT_FUNDS } from './payment-errors';
import {
  storeAndRunCall,
  pend,
  reject,
  rejectForNow,
  giveUp,
  type PaymentContext,
  type PaymentOutcome,
} from './payment-outcomes';

export const SPENT_ELSEWHERE = 'it was spent before it was presented here';

/** Submits the payment for the first time. */
export async function settleVerified(
  context: PaymentContext,
  record: PaymentRecord,
): Promise<PaymentOutcome> {
  const result = await settle(context, record, context.timers);
  switch (result.status) {
    case 'invalid':
      return rejectUnlessPaid(context, record, result.reason);
    case 'insufficient_funds':
      return rejectUnlessPaid(context, record, INSUFFICIENT_FUNDS);
    case 'unavailable':
      return giveUpUnlessPaid(context, record, result.reason);
    default:
      return afterSettle(context, record, result);
  }
}

/** Submits the payment once more. The first submission may still be under way. */
export async function settleAgain(context: PaymentContext, record: PaymentRecord): Promise<PaymentOutcome> {
  return afterSettle(context, record, await settle(context, record, context.timers));
}

/**
 * Ends a payment whose first submission was refused, unless a look-up finds its transfer. A stranger may have submitted
 * the authorization since it was verified. A facilitator that checks the window or the balance first then refuses the
 * payment, although it has paid us. If the look-up does not know, the payment is looked up again later.
 */
async function rejectUnlessPaid(
  context: PaymentContext,
  record: PaymentRecord,
  reason: string,
): Promise<PaymentOutcome> {
  const found = await lookUp(context, record, context.timers);
  if (found.status === 'settled') return afterSettledLookup(context, record, found);
  return found.status === 'unknown' ? rejectForNow(context, record, reason) : reject(context, record, reason);
}

/** Like `rejectUnlessPaid`, but after an answer that nothing was submitted. The payer can present the payment again. */
async function giveUpUnlessPaid(
  context: PaymentContext,
  record: PaymentRecord,
  reason: string,
): Promise<PaymentOutcome> {
  const found = await lookUp(context, record, context.timers);
  return found.status === 'settled'
    ? afterSettledLookup(context, record, found)
    : giveUp(context, record, facilitatorUnavailable(reason));
}

/**
 * Continues a payment that was submitted by work that ended early. The facilitator looks the authorization up
 * before the payment is submitted again.
 */
export async function reconcilePayment(
  context: PaymentContext,
  record: PaymentRecord,
): Promise<PaymentOutcome> {
  const found = await lookUp(context, record, context.timers);
  if (found.status !== 'unused') return afterLookup(context, record, found);
  const { authorization } = detailsOf(record).payment;
  const now = context.clock.now();
  // An authorization moves money at most once, so a second submission is safe.
  if (isWindowOpen(authorization, now)) return settleAgain(context, record);
  // If the look-up asked a chain, only the time of the chain decides that the window is past, because our clock
  // may be wrong.
  if (found.asOf === undefined && isWindowPast(authorization, now))
    return reject(context, record, 'expired before it was settled');
  return pend(context, record, 'the authorization was not seen on the chain yet');
}

/**
 * Handles the result of a submission, except a refusal of the first one. A refusal of a second submission is
 * not final, because the first submission may still be under way.
 */
async function afterSettle(
  context: PaymentContext,
  record: PaymentRecord,
  result: SettleResult,
): Promise<PaymentOutcome> {
  if (result.status === 'settled') return storeAndRunCall(context, record, result.transaction);
  if (result.status === 'spent')
    return afterLookup(context, record, await lookUp(context, record, context.timers));
  return pend(context, record, 'reason' in result ? result.reason : result.status);
}

function afterLookup(
  context: PaymentContext,
  record: PaymentRecord,
  found: LookupResult,
): Promise<PaymentOutcome> {
  if (found.status === 'settled') return afterSettledLookup(context, record, found);
  if (found.status === 'invalid') return reject(context, record, found.reason);
  return pend(context, record, 'reason' in found ? found.reason : found.status);
}

/** Whether the transfer of a submitted payment counts as our settlement. */
export const isPaidHere = (record: PaymentRecord, found: SettledAuthorization, now: number): boolean =>
  found.sentBySettler === true ||
  found.spentAt === undefined ||
  firstUseOf(record, found, now) === 'presented';

/**
 * Handles a look-up that found the transfer. The facilitator verified the authorization as unspent before the
 * payment was submitted. If the times contradict that, a clock or the verification was wrong. Then an
 * operator decides whether the payment is rejected or credited.
 */
function afterSettledLookup(
  context: PaymentContext,
  record: PaymentRecord,
  found: SettledAuthorization,
): Promise<PaymentOutcome> {
  if (isPaidHere(record, found, context.clock.now()))
    return storeAndRunCall(context, record, found.transaction);
  const { transaction, spentAt } = found;
  const message = 'a payment was spent before it was presented here; an operator has to confirm or reject it';
  context.logger.error({ paymentId: record.id, transaction, spentAt }, message);
  return pend(context, record, SPENT_ELSEWHERE);
}
