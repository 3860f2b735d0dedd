/**
 * The ways in which the work on a payment ends (docs/specification.md "Payment states"). If another instance has
 * taken the payment over, the outcome follows from what that instance has stored.
 */
import type { PredictionMarketError } from '../../domain/errors';
import {
  advancePayment,
  paymentRetryDelayMs,
  windowEnd,
  windowPastAt,
  type PaymentRecord,
  type StoredAnswer,
} from '../../domain/payments';
import type { Timers } from '../../ports/timers';
import type { PaidCommand } from '../commands';
import type { Context } from '../context';
import { detailsOf, type PaymentDetails } from './ask-facilitator';
import type { KnownSettlement } from './known-settlements';
import {
  isPlayBesideReal,
  notePlayPayment,
  OtherMoneyError,
  PlayBesideRealError,
  storeMoney,
} from './money-of-books';
import { runPaidCommand } from './paid-commands';
import { paymentRejected, settlementPending } from './payment-errors';
import { dropClaim, takeLastStep } from './payment-lease';
import { storeSettled } from './store-settlement';

/**
 * `answered`: the answer is stored. `rejected`: the rejection is stored. `given-up`: the claim is deleted. `unstored`:
 * the money has moved, and the storage has failed. `pending`: the work on the payment goes on later, or another
 * instance works on it.
 */
export type PaymentOutcome =
  | { kind: 'answered'; payment: PaymentRecord; answer: StoredAnswer }
  | { kind: 'rejected'; reason: string }
  | { kind: 'given-up'; error: PredictionMarketError }
  | { kind: 'unstored'; settlement: KnownSettlement }
  | { kind: 'pending' };

export interface PaidAnswer {
  payment: PaymentRecord;
  answer: StoredAnswer;
}

export type PaymentContext = Context & {
  timers: Timers;
  /** Whether the kind of money is stored already. If `false`, the work on the payment stores the kind. */
  isMoneyStored: boolean;
};

export const PENDING: PaymentOutcome = { kind: 'pending' };

/**
 * Called when the money has arrived: one transaction stores the settlement, runs the call and stores the
 * answer. If the payment has an answer already, such as the answer of the oracle, the call does not run.
 */
export async function storeAndRunCall(
  context: PaymentContext,
  record: PaymentRecord,
  transactionHash: string | null,
): Promise<PaymentOutcome> {
  if (isPlayBesideReal(context, { ...record, transaction: transactionHash }))
    return rejectPlayMoney(context, record);
  try {
    const payment = await storeSettled(context, record, transactionHash, async (transaction, settled) => {
      await notePlayPayment(transaction, context, settled);
      // The kind of money is usually stored before the submission. If another sender has submitted the payment,
      // it is stored here.
      if (!context.isMoneyStored) await storeMoney(transaction, context);
      const answer =
        settled.answer ?? (await runPaidCommand(transaction, context, commandOf(record), settled));
      return { ...settled, answer, leaseUntil: 0, dueAt: null };
    });
    return outcomeOf(context, payment);
  } catch (err) {
    if (err instanceof PlayBesideRealError) return rejectPlayMoney(context, record);
    return storeWithoutAnswer(context, record, transactionHash, err);
  }
}

/**
 * Stores the settlement without an answer, after the transaction with the call has failed. Either the call
 * failed, or the COMMIT succeeded and its reply was lost. In the second case the answer is stored already.
 */
async function storeWithoutAnswer(
  context: PaymentContext,
  record: PaymentRecord,
  transactionHash: string | null,
  err: unknown,
): Promise<PaymentOutcome> {
  let payment: PaymentRecord;
  try {
    payment = await storeSettled(context, record, transactionHash, async (_transaction, settled) => {
      const attempts = settled.attempts + 1;
      const dueAt = context.clock.now() + paymentRetryDelayMs(attempts);
      // An answer that was prepared for the call must not be given away for other money.
      const answer = err instanceof OtherMoneyError ? null : settled.answer;
      return { ...settled, answer, attempts, leaseUntil: 0, dueAt };
    });
  } catch (storageError) {
    context.logger.warn({ err: storageError, paymentId: record.id }, 'a settlement was not stored');
    return { kind: 'unstored', settlement: { payment: record, transaction: transactionHash } };
  }
  if (payment.answer === null)
    context.logger.error({ err, paymentId: record.id }, 'a paid call failed; it will be run again');
  return outcomeOf(context, payment);
}

/** Rejects a payment that was settled in play money. No real money has come in, so the payer was not charged. */
function rejectPlayMoney(context: PaymentContext, record: PaymentRecord): Promise<PaymentOutcome> {
  const fields = { paymentId: record.id, facilitator: context.facilitator.name };
  context.logger.error(fields, 'a payment was settled in play money, and the books hold real money');
  const reason = 'it was settled in play money';
  // An earlier release may have stored the payment as settled. Such a payment is kept, and its call does not
  // run.
  return record.status === 'settled' ? pend(context, record, reason) : reject(context, record, reason);
}

function outcomeOf(context: PaymentContext, payment: PaymentRecord): PaymentOutcome {
  const { answer, status, reason } = payment;
  if (status === 'rejected') return { kind: 'rejected', reason: reason ?? '' };
  if (answer === null) return PENDING;
  context.eventsAppended();
  return { kind: 'answered', payment, answer };
}

export function reject(
  context: PaymentContext,
  record: PaymentRecord,
  reason: string,
): Promise<PaymentOutcome> {
  // The rejection of a claim is kept for as long as the payer could send the payment again. Then the rejected
  // payment is due, and the reconciliation removes it.
  const forgottenAt = record.status === 'claimed' ? windowEnd(detailsOf(record).payment.authorization) : null;
  return rejectUntil(context, record, reason, forgottenAt);
}

/**
 * Rejects a submitted payment although it may have paid us. It is looked up again when its authorization has ended
 * (recheck-rejected.ts).
 */
export function rejectForNow(
  context: PaymentContext,
  record: PaymentRecord,
  reason: string,
): Promise<PaymentOutcome> {
  const recheckAt = windowPastAt(detailsOf(record).payment.authorization);
  return rejectUntil(context, record, reason, recheckAt, asRefused);
}

function asRefused(stored: PaymentRecord): PaymentRecord {
  const details: PaymentDetails = { ...detailsOf(stored), isRefused: true };
  return { ...stored, payment: JSON.stringify(details), attempts: 0 };
}

async function rejectUntil(
  context: PaymentContext,
  record: PaymentRecord,
  reason: string,
  dueAt: number | null,
  change = (stored: PaymentRecord): PaymentRecord => stored,
): Promise<PaymentOutcome> {
  const now = context.clock.now();
  const rejected = await takeLastStep(context, record, dueAt, (stored) =>
    advancePayment(change(stored), 'rejected', { reason, answer: null, now }),
  );
  return rejected.taken ? { kind: 'rejected', reason } : overtaken(context, record, rejected.stored);
}

/**
 * Deletes the claim. The payer gets `error` and can present the payment again.
 */
export async function giveUp(
  context: PaymentContext,
  record: PaymentRecord,
  error: PredictionMarketError,
): Promise<PaymentOutcome> {
  const dropped = await dropClaim(context, record);
  return dropped.taken ? { kind: 'given-up', error } : overtaken(context, record, dropped.stored);
}

/**
 * Keeps a payment whose outcome is not known, or whose call cannot run yet. The reconciliation works on it again after
 * a pause. `transaction` is the proven transfer, if there is one.
 */
export async function pend(
  context: PaymentContext,
  record: PaymentRecord,
  reason: string,
  transaction: string | null = null,
): Promise<PaymentOutcome> {
  const now = context.clock.now();
  const attempts = record.attempts + 1;
  const dueAt = now + paymentRetryDelayMs(attempts);
  context.logger.warn({ paymentId: record.id, reason, attempts }, 'a settlement is not known yet');
  const waiting = await takeLastStep(context, record, dueAt, (stored) => ({
    ...stored,
    transaction: stored.transaction ?? transaction,
    reason,
    attempts,
    updatedAt: now,
  }));
  return waiting.taken ? PENDING : overtaken(context, record, waiting.stored);
}

/** The pause before a kept claim is looked up again. */
const NEXT_LOOK_MS = 60_000;

/**
 * Ends the work on a payment and does not change its state. A claim keeps the time at which the payer first
 * presented the payment. The reconciliation takes the payment up again later.
 */
export async function keepClaim(context: PaymentContext, record: PaymentRecord): Promise<PaymentOutcome> {
  const kept = await takeLastStep(context, record, context.clock.now() + NEXT_LOOK_MS, (stored) => stored);
  return kept.taken ? PENDING : overtaken(context, record, kept.stored);
}

/**
 * The outcome when the stored payment is not as this worker last knew it. Another instance has written a
 * newer state, or a COMMIT of this worker succeeded and its reply was lost. The outcome follows from the
 * stored state.
 */
export function overtaken(
  context: PaymentContext,
  { leaseToken }: PaymentRecord,
  stored: PaymentRecord | null,
): PaymentOutcome | Promise<PaymentOutcome> {
  if (stored === null) return PENDING;
  if (stored.status === 'rejected') return { kind: 'rejected', reason: stored.reason ?? '' };
  if (stored.status !== 'settled') return PENDING;
  // The lease is still this worker's: its own COMMIT succeeded, and its reply was lost. So the call has to run.
  if (stored.answer === null && stored.leaseToken === leaseToken)
    return storeAndRunCall(context, stored, stored.transaction);
  return outcomeOf(context, stored);
}

export function commandOf(record: PaymentRecord): PaidCommand {
  return JSON.parse(record.command) as PaidCommand;
}

/** Whether the texts in the row are whole, so that the facilitator can be asked and the call can run. */
export function isReadable(record: PaymentRecord): boolean {
  try {
    windowEnd(detailsOf(record).payment.authorization);
    commandOf(record);
    return true;
  } catch {
    return false;
  }
}

/** The answer to the payer. @throws PredictionMarketError for every outcome without an answer. */
export function paidAnswer(outcome: PaymentOutcome): PaidAnswer {
  switch (outcome.kind) {
    case 'answered':
      return { payment: outcome.payment, answer: outcome.answer };
    case 'rejected':
      throw paymentRejected(outcome.reason);
    case 'given-up':
      throw outcome.error;
    case 'unstored':
    case 'pending':
      throw settlementPending();
  }
}
