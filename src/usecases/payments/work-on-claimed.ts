/**
 * The work on a claimed payment. Before any charge, the facilitator verifies the payment, and a question to
 * the oracle is answered. Then the payment is stored as `submitted`, and the facilitator settles it.
 */
import { isPredictionMarketError, type PredictionMarketError } from '../../domain/errors';
import {
  firstUseOf,
  advancePayment,
  isInDoubt,
  mayStillBeSpent,
  type PaymentRecord,
  type StoredAnswer,
} from '../../domain/payments';
import { detailsOf, lookUp, verify } from './ask-facilitator';
import { answerBeforeCharge } from './paid-commands';
import { facilitatorUnavailable, INSUFFICIENT_FUNDS } from './payment-errors';
import {
  commandOf,
  storeAndRunCall,
  overtaken,
  pend,
  reject,
  giveUp,
  keepClaim,
  type PaymentContext,
  type PaymentOutcome,
} from './payment-outcomes';
import { OtherMoneyError, storeMoney, willBeRefused } from './money-of-books';
import { dropClaim, FIRST_LEASE_TOKEN, takeStep, type StepResult } from './payment-lease';
import { settleAgain, settleVerified, SPENT_ELSEWHERE } from './settle-payment';

export async function workOnClaimed(context: PaymentContext, record: PaymentRecord): Promise<PaymentOutcome> {
  const verified = await verify(context, record, context.timers);
  switch (verified.status) {
    case 'valid':
      return submit(context, record);
    case 'spent':
      return serveIfPaid(context, record);
    case 'unavailable':
      return giveUpUnlessInDoubt(context, record, verified.reason);
    case 'invalid':
      return rejectClaim(context, record, verified.reason);
    case 'insufficient_funds':
      return rejectClaim(context, record, INSUFFICIENT_FUNDS);
  }
}

async function submit(context: PaymentContext, record: PaymentRecord): Promise<PaymentOutcome> {
  let answer: StoredAnswer | null;
  try {
    answer = await answerBeforeCharge(context, commandOf(record));
  } catch (error) {
    if (isPredictionMarketError(error)) return giveUpUnlessTakenOver(context, record, error);
    if (isTakenOver(record)) await keepClaim(context, record);
    else await dropClaim(context, record);
    throw error;
  }
  const now = context.clock.now();
  let submitted: StepResult;
  try {
    submitted = await takeStep(
      context,
      record,
      (stored) => advancePayment(stored, 'submitted', { answer, now }),
      // The kind of money is stored only now. A payment that the facilitator refuses brings no money, so it
      // must not decide the kind of money of the books.
      context.isMoneyStored ? undefined : (transaction) => storeMoney(transaction, context),
    );
  } catch (error) {
    if (!(error instanceof OtherMoneyError)) throw error;
    return giveUpUnlessTakenOver(context, record, error);
  }
  if (!submitted.taken) return overtaken(context, record, submitted.stored);
  // The earlier worker of a claim that was taken over may have submitted the payment, and the database may have lost
  // that state.
  return isTakenOver(record)
    ? settleAgain(context, submitted.stored)
    : settleVerified(context, submitted.stored);
}

/**
 * Handles an authorization that was spent before this worker submitted it. If the transfer paid us after the payer
 * presented the authorization here, it counts as the payer's payment. While no look-up tells when the money
 * moved, the claim is kept. Only this claim has the time of the first presentation; with a later claim, the
 * transfer would look older than the presentation.
 */
async function serveIfPaid(context: PaymentContext, record: PaymentRecord): Promise<PaymentOutcome> {
  const found = await lookUp(context, record, context.timers);
  if (found.status === 'invalid') return reject(context, record, found.reason);
  if (found.status === 'settled') {
    const first = firstUseOf(record, found, context.clock.now());
    if (first === 'spent') return reject(context, record, SPENT_ELSEWHERE);
    if (first === 'presented') return servePaid(context, record, found.transaction);
    // The clock of this instance counts as wrong, and so does the time in a claim that it has made. An
    // instance with a right clock can claim the payment anew.
    if (found.spentAt !== undefined) return giveUpUnlessInDoubt(context, record, 'the clock here is wrong');
  }
  return pend(context, record, 'the fate of a spent authorization is not known');
}

/**
 * Rejects a claim that the facilitator refuses. If this worker made the claim, nothing was submitted yet. If the claim
 * was taken over, the payment may have paid us already, and the facilitator may refuse it because of its window or the
 * balance. So the authorization of such a claim is looked up first.
 */
async function rejectClaim(
  context: PaymentContext,
  record: PaymentRecord,
  reason: string,
): Promise<PaymentOutcome> {
  if (!isTakenOver(record)) return reject(context, record, reason);
  const found = await lookUp(context, record, context.timers);
  if (found.status === 'invalid') return reject(context, record, reason);
  if (found.status === 'unused')
    return mayStillBeSpent(detailsOf(record).payment.authorization, found.asOf, context.clock.now())
      ? keepClaim(context, record)
      : reject(context, record, reason);
  if (found.status === 'unknown') return pend(context, record, found.reason);
  const first = firstUseOf(record, found, context.clock.now());
  if (first === 'spent') return reject(context, record, SPENT_ELSEWHERE);
  return first === 'presented'
    ? servePaid(context, record, found.transaction)
    : pend(context, record, 'it is not known when the authorization was spent');
}

/**
 * Runs the call of a payment whose money has arrived. The payment is kept until the call has its answer. If
 * the payment was never submitted here, the oracle has not been asked yet, so it is asked now.
 */
export async function servePaid(
  context: PaymentContext,
  record: PaymentRecord,
  transaction: string | null,
): Promise<PaymentOutcome> {
  // The oracle is not asked for a call that will be refused.
  if (await willBeRefused(context, { ...record, transaction }))
    return storeAndRunCall(context, record, transaction);
  let answer: StoredAnswer | null;
  try {
    answer = record.answer ?? (await answerBeforeCharge(context, commandOf(record)));
  } catch (err) {
    context.logger.warn(
      { err, paymentId: record.id },
      'a payment has arrived, and its call has no answer yet',
    );
    // A later look-up may not find the transfer again.
    return pend(context, record, 'paid, but the call has no answer yet', transaction);
  }
  return storeAndRunCall(context, { ...record, answer }, transaction);
}

function giveUpUnlessInDoubt(
  context: PaymentContext,
  record: PaymentRecord,
  reason: string,
): Promise<PaymentOutcome> {
  return isInDoubt(record)
    ? pend(context, record, reason)
    : giveUpUnlessTakenOver(context, record, facilitatorUnavailable(reason));
}

/**
 * Gives up a claim that this worker made, because nothing was submitted. A claim that was taken over is kept,
 * with the time of the first presentation: its earlier worker may have submitted the authorization, and the
 * database may have lost that state.
 */
function giveUpUnlessTakenOver(
  context: PaymentContext,
  record: PaymentRecord,
  error: PredictionMarketError,
): Promise<PaymentOutcome> {
  return isTakenOver(record) ? keepClaim(context, record) : giveUp(context, record, error);
}

const isTakenOver = ({ leaseToken }: PaymentRecord): boolean => leaseToken !== FIRST_LEASE_TOKEN;
