/**
 * Brings a claimed payment to its end: verify -> settle -> run the call -> store the answer (DESIGN §5 "Paid call"). Each
 * step is stored before the next begins, so whoever continues after a crash knows where to. Once a settlement may have been
 * submitted, only the token's own account of the authorization (`lookup`) decides that it failed.
 */
import { PredictionMarketError, isPredictionMarketError } from '../../domain/errors';
import {
  advancePayment,
  isWindowOpen,
  isWindowPast,
  paymentRetryDelayMs,
  windowEnd,
  wasPresentedFirst,
  type PaymentRecord,
  type StoredAnswer,
} from '../../domain/payments';
import type { LookupResult, SettledAuthorization, SettleResult } from '../../ports/facilitator';
import { detailsOf, lookUp, settle, verify } from './ask-facilitator';
import type { PaidCommand } from '../commands';
import type { Context } from '../context';
import { answerBeforeCharge, runPaidCommand } from './paid-commands';
import type { KnownSettlement } from './known-settlements';
import { dropClaim, takeLastStep, takeStep } from './payment-lease';
import { storeSettled } from './store-settlement';

export type { PaymentDetails } from './ask-facilitator';

export const INSUFFICIENT_FUNDS = 'insufficient_funds';
const SPENT_ELSEWHERE = 'it was spent before it was presented here';

/** What became of it. `released`: not charged, the claim is gone. `unstored`: settled, and the storage is away. `pending`: nobody knows yet, or somebody else is at it. */
export type PaymentOutcome =
  | { kind: 'answered'; payment: PaymentRecord; answer: StoredAnswer }
  | { kind: 'rejected'; reason: string }
  | { kind: 'released'; error: PredictionMarketError }
  | { kind: 'unstored'; settlement: KnownSettlement }
  | { kind: 'pending' };

const PENDING: PaymentOutcome = { kind: 'pending' };

/** Continues a payment whose lease the caller holds, from whatever state it is in. */
export async function continuePayment(context: Context, record: PaymentRecord): Promise<PaymentOutcome> {
  switch (record.status) {
    case 'claimed':
      return begin(context, record);
    case 'submitted':
      return reconcile(context, record);
    case 'settled':
      return finish(context, record, record.transaction);
    case 'delivered':
    case 'rejected':
      throw new Error(`Payment ${record.id} is ${record.status}: nothing is left to do`);
  }
}

// --- before the charge ---

async function begin(context: Context, record: PaymentRecord): Promise<PaymentOutcome> {
  const verified = await verify(context, record);
  if (verified.status === 'invalid') return reject(context, record, verified.reason);
  if (verified.status === 'insufficient_funds') return reject(context, record, INSUFFICIENT_FUNDS);
  if (verified.status === 'unavailable') return release(context, record, unavailable(verified.reason));
  // Another sender has submitted the authorization before us. If it paid us for this request, it is as good as any.
  const paid = verified.status === 'spent' ? await lookUp(context, record) : null;
  if (paid?.status === 'invalid') return reject(context, record, paid.reason);
  const isOurs = paid?.status === 'settled' ? wasPresentedFirst(record, paid, context.clock.now()) : null;
  if (isOurs === false) return reject(context, record, SPENT_ELSEWHERE);
  if (paid !== null && (paid.status !== 'settled' || isOurs === null)) {
    return release(context, record, unavailable('the fate of a spent authorization is not known'));
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
    ? settleFirst(context, submitted.stored)
    : overtaken(context, record, submitted.stored);
}

async function settleFirst(context: Context, record: PaymentRecord): Promise<PaymentOutcome> {
  const result = await settle(context, record);
  switch (result.status) {
    case 'invalid':
      return reject(context, record, result.reason);
    case 'insufficient_funds':
      return reject(context, record, INSUFFICIENT_FUNDS);
    case 'unavailable':
      return release(context, record, unavailable(result.reason));
    default:
      return afterSettle(context, record, result);
  }
}

// --- after it may have been charged ---

async function reconcile(context: Context, record: PaymentRecord): Promise<PaymentOutcome> {
  const found = await lookUp(context, record);
  if (found.status !== 'unused') return afterLookup(context, record, found);
  const { authorization } = detailsOf(record).payment;
  const now = context.clock.now();
  // One authorization moves money once, so to submit it again is safe.
  if (isWindowOpen(authorization, now)) return afterSettle(context, record, await settle(context, record));
  // Where a chain was asked, its time decides, and it has said `unused`: our clock may be wrong.
  if (found.asOf === undefined && isWindowPast(authorization, now))
    return reject(context, record, 'expired before it was settled');
  return pend(context, record, 'the authorization was not seen on the chain yet');
}

/** An earlier submission may still be under way, so that no refusal of this one is the last word. */
async function afterSettle(
  context: Context,
  record: PaymentRecord,
  result: SettleResult,
): Promise<PaymentOutcome> {
  if (result.status === 'settled') return finish(context, record, result.transaction);
  if (result.status === 'spent') return afterLookup(context, record, await lookUp(context, record));
  return pend(context, record, 'reason' in result ? result.reason : result.status);
}

function afterLookup(context: Context, record: PaymentRecord, found: LookupResult): Promise<PaymentOutcome> {
  if (found.status === 'settled') return afterSettledLookup(context, record, found);
  if (found.status === 'invalid') return reject(context, record, found.reason);
  return pend(context, record, 'reason' in found ? found.reason : found.status);
}

/**
 * It was verified as unspent before it was submitted, so times that contradict that are a matter for operators: a clock was
 * wrong, or the verification was, and neither the payer nor the books may pay for it.
 */
function afterSettledLookup(
  context: Context,
  record: PaymentRecord,
  found: SettledAuthorization,
): Promise<PaymentOutcome> {
  const isOurs =
    found.sentBySettler === true ||
    found.spentAt === undefined ||
    wasPresentedFirst(record, found, context.clock.now()) === true;
  if (isOurs) return finish(context, record, found.transaction);
  const { transaction, spentAt } = found;
  const message = 'a payment was spent before it was presented here; an operator has to confirm or reject it';
  context.logger.error({ paymentId: record.id, transaction, spentAt }, message);
  return pend(context, record, SPENT_ELSEWHERE);
}

/**
 * The money is ours: one transaction runs the call and stores the answer. An answer that is stored already wins: the COMMIT
 * that stored it may not have been answered.
 */
async function finish(
  context: Context,
  record: PaymentRecord,
  transaction: string | null,
): Promise<PaymentOutcome> {
  try {
    const payment = await storeSettled(context, record, transaction, async (tx, settled) => {
      const answer = settled.answer ?? (await runPaidCommand(tx, context, commandOf(record), settled));
      return { ...settled, answer, leaseUntil: 0, dueAt: null };
    });
    return outcomeOf(context, payment);
  } catch (err) {
    return settleWithoutAnswer(context, record, transaction, err);
  }
}

/** The call has failed, or its COMMIT was not answered: then the answer may be stored all the same. */
async function settleWithoutAnswer(
  context: Context,
  record: PaymentRecord,
  transaction: string | null,
  err: unknown,
): Promise<PaymentOutcome> {
  let payment: PaymentRecord;
  try {
    payment = await storeSettled(context, record, transaction, async (_tx, settled) => {
      const attempts = settled.attempts + 1;
      const dueAt = context.clock.now() + paymentRetryDelayMs(attempts);
      return { ...settled, attempts, leaseUntil: 0, dueAt };
    });
  } catch (storageError) {
    context.logger.warn({ err: storageError, paymentId: record.id }, 'a settlement was not stored');
    return { kind: 'unstored', settlement: { payment: record, transaction } };
  }
  if (payment.answer === null)
    context.logger.error({ err, paymentId: record.id }, 'a paid call failed; it will be run again');
  return outcomeOf(context, payment);
}

/** Of a payment that is settled. */
function outcomeOf(context: Context, payment: PaymentRecord): PaymentOutcome {
  const { answer } = payment;
  if (answer === null) return PENDING;
  context.eventsAppended();
  return { kind: 'answered', payment, answer };
}

// --- the ends ---

async function reject(context: Context, record: PaymentRecord, reason: string): Promise<PaymentOutcome> {
  const now = context.clock.now();
  // Nothing was submitted: the refusal is kept for as long as the same payment could be presented again.
  const forgottenAt = record.status === 'claimed' ? windowEnd(detailsOf(record).payment.authorization) : null;
  const rejected = await takeLastStep(context, record, forgottenAt, (stored) =>
    advancePayment(stored, 'rejected', { reason, answer: null, now }),
  );
  return rejected.taken ? { kind: 'rejected', reason } : overtaken(context, record, rejected.stored);
}

async function release(
  context: Context,
  record: PaymentRecord,
  error: PredictionMarketError,
): Promise<PaymentOutcome> {
  const dropped = await dropClaim(context, record);
  return dropped.taken ? { kind: 'released', error } : overtaken(context, record, dropped.stored);
}

async function pend(context: Context, record: PaymentRecord, reason: string): Promise<PaymentOutcome> {
  const now = context.clock.now();
  const attempts = record.attempts + 1;
  const dueAt = now + paymentRetryDelayMs(attempts);
  context.logger.warn({ paymentId: record.id, reason, attempts }, 'a settlement is not known yet');
  const waiting = await takeLastStep(context, record, dueAt, (stored) => ({
    ...stored,
    reason,
    attempts,
    updatedAt: now,
  }));
  return waiting.taken ? PENDING : overtaken(context, record, waiting.stored);
}

/** The payment is further on than the work that was done on it: what is stored wins. */
function overtaken(
  context: Context,
  { leaseToken }: PaymentRecord,
  stored: PaymentRecord | null,
): PaymentOutcome | Promise<PaymentOutcome> {
  if (stored === null) return PENDING;
  if (stored.status === 'rejected') return { kind: 'rejected', reason: stored.reason ?? '' };
  if (stored.status !== 'settled') return PENDING;
  if (stored.answer === null && stored.leaseToken === leaseToken)
    return finish(context, stored, stored.transaction);
  return outcomeOf(context, stored);
}

function unavailable(reason: string): PredictionMarketError {
  return new PredictionMarketError(
    'FACILITATOR_UNAVAILABLE',
    'The payment facilitator cannot be reached. Nothing was charged; try again later.',
    { retryAfterSeconds: 2, cause: reason },
  );
}

function commandOf(record: PaymentRecord): PaidCommand {
  return JSON.parse(record.command) as PaidCommand;
}
