/**
 * Brings a claimed payment to its end: verify, settle, run the call, store the answer (docs/specification.md
 * "Payment states"). Each step is stored before the next begins, so another instance can continue after a
 * crash. Once a settlement may have been submitted, only a look-up of the authorization (`lookup`) can decide
 * that the payment failed.
 */
import { isPredictionMarketError, type PredictionMarketError } from '../../domain/errors';
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
import { realTimers, type Timers } from '../../ports/timers';
import { detailsOf, lookUp, settle, verify } from './ask-facilitator';
import type { PaidCommand } from '../commands';
import type { Context } from '../context';
import { answerBeforeCharge, runPaidCommand } from './paid-commands';
import type { KnownSettlement } from './known-settlements';
import { facilitatorUnavailable, INSUFFICIENT_FUNDS } from './payment-errors';
import { dropClaim, takeLastStep, takeStep } from './payment-lease';
import { storeSettled } from './store-settlement';

export type { PaymentDetails } from './ask-facilitator';

const SPENT_ELSEWHERE = 'it was spent before it was presented here';

/**
 * `released`: nothing was charged and the claim is deleted. `unstored`: settled, and the storage is away. `pending`: the outcome
 * is not known yet, or another instance works on the payment.
 */
export type PaymentOutcome =
  | { kind: 'answered'; payment: PaymentRecord; answer: StoredAnswer }
  | { kind: 'rejected'; reason: string }
  | { kind: 'released'; error: PredictionMarketError }
  | { kind: 'unstored'; settlement: KnownSettlement }
  | { kind: 'pending' };

type WorkContext = Context & { timers: Timers };

const PENDING: PaymentOutcome = { kind: 'pending' };

/** Continues a payment from its stored state. The caller has its lease. */
export async function continuePayment(
  base: Context,
  record: PaymentRecord,
  timers: Timers = realTimers,
): Promise<PaymentOutcome> {
  const context: WorkContext = { ...base, timers };
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

async function begin(context: WorkContext, record: PaymentRecord): Promise<PaymentOutcome> {
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
    ? settleFirst(context, submitted.stored)
    : overtaken(context, record, submitted.stored);
}

async function settleFirst(context: WorkContext, record: PaymentRecord): Promise<PaymentOutcome> {
  const result = await settle(context, record, context.timers);
  switch (result.status) {
    case 'invalid':
      return reject(context, record, result.reason);
    case 'insufficient_funds':
      return reject(context, record, INSUFFICIENT_FUNDS);
    case 'unavailable':
      return release(context, record, facilitatorUnavailable(result.reason));
    default:
      return afterSettle(context, record, result);
  }
}

// --- after it may have been charged ---

async function reconcile(context: WorkContext, record: PaymentRecord): Promise<PaymentOutcome> {
  const found = await lookUp(context, record, context.timers);
  if (found.status !== 'unused') return afterLookup(context, record, found);
  const { authorization } = detailsOf(record).payment;
  const now = context.clock.now();
  // An authorization moves money at most once, so it is safe to submit it again.
  if (isWindowOpen(authorization, now))
    return afterSettle(context, record, await settle(context, record, context.timers));
  // If the look-up asked a chain, the chain's time decides, not ours: our clock may be wrong.
  if (found.asOf === undefined && isWindowPast(authorization, now))
    return reject(context, record, 'expired before it was settled');
  return pend(context, record, 'the authorization was not seen on the chain yet');
}

/** An earlier submission may still be under way, so it is not final when this one is refused. */
async function afterSettle(
  context: WorkContext,
  record: PaymentRecord,
  result: SettleResult,
): Promise<PaymentOutcome> {
  if (result.status === 'settled') return finish(context, record, result.transaction);
  if (result.status === 'spent')
    return afterLookup(context, record, await lookUp(context, record, context.timers));
  return pend(context, record, 'reason' in result ? result.reason : result.status);
}

function afterLookup(
  context: WorkContext,
  record: PaymentRecord,
  found: LookupResult,
): Promise<PaymentOutcome> {
  if (found.status === 'settled') return afterSettledLookup(context, record, found);
  if (found.status === 'invalid') return reject(context, record, found.reason);
  return pend(context, record, 'reason' in found ? found.reason : found.status);
}

/**
 * The payment was verified as unspent before it was submitted. If the times contradict that, a clock or the
 * verification was wrong. Then an operator decides whether the payment is rejected or credited.
 */
function afterSettledLookup(
  context: WorkContext,
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
 * The money has arrived: one transaction runs the call and stores the answer. If an answer is stored already,
 * it is kept: the earlier COMMIT succeeded and only the reply to it was lost.
 */
async function finish(
  context: WorkContext,
  record: PaymentRecord,
  transactionHash: string | null,
): Promise<PaymentOutcome> {
  try {
    const payment = await storeSettled(context, record, transactionHash, async (transaction, settled) => {
      const answer =
        settled.answer ?? (await runPaidCommand(transaction, context, commandOf(record), settled));
      return { ...settled, answer, leaseUntil: 0, dueAt: null };
    });
    return outcomeOf(context, payment);
  } catch (err) {
    return settleWithoutAnswer(context, record, transactionHash, err);
  }
}

/**
 * Either the call failed, or its COMMIT succeeded and the reply was lost. In the second case the answer is
 * stored.
 */
async function settleWithoutAnswer(
  context: WorkContext,
  record: PaymentRecord,
  transactionHash: string | null,
  err: unknown,
): Promise<PaymentOutcome> {
  let payment: PaymentRecord;
  try {
    payment = await storeSettled(context, record, transactionHash, async (_transaction, settled) => {
      const attempts = settled.attempts + 1;
      const dueAt = context.clock.now() + paymentRetryDelayMs(attempts);
      return { ...settled, attempts, leaseUntil: 0, dueAt };
    });
  } catch (storageError) {
    context.logger.warn({ err: storageError, paymentId: record.id }, 'a settlement was not stored');
    return { kind: 'unstored', settlement: { payment: record, transaction: transactionHash } };
  }
  if (payment.answer === null)
    context.logger.error({ err, paymentId: record.id }, 'a paid call failed; it will be run again');
  return outcomeOf(context, payment);
}

/** The outcome of a settled payment. */
function outcomeOf(context: WorkContext, payment: PaymentRecord): PaymentOutcome {
  const { answer } = payment;
  if (answer === null) return PENDING;
  context.eventsAppended();
  return { kind: 'answered', payment, answer };
}

// --- the ends ---

async function reject(context: WorkContext, record: PaymentRecord, reason: string): Promise<PaymentOutcome> {
  const now = context.clock.now();
  // Nothing was submitted. The rejection is remembered for as long as the same payment could be presented
  // again.
  const forgottenAt = record.status === 'claimed' ? windowEnd(detailsOf(record).payment.authorization) : null;
  const rejected = await takeLastStep(context, record, forgottenAt, (stored) =>
    advancePayment(stored, 'rejected', { reason, answer: null, now }),
  );
  return rejected.taken ? { kind: 'rejected', reason } : overtaken(context, record, rejected.stored);
}

async function release(
  context: WorkContext,
  record: PaymentRecord,
  error: PredictionMarketError,
): Promise<PaymentOutcome> {
  const dropped = await dropClaim(context, record);
  return dropped.taken ? { kind: 'released', error } : overtaken(context, record, dropped.stored);
}

async function pend(context: WorkContext, record: PaymentRecord, reason: string): Promise<PaymentOutcome> {
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

/** Another instance has moved the payment on. Its stored state wins. */
function overtaken(
  context: WorkContext,
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

function commandOf(record: PaymentRecord): PaidCommand {
  return JSON.parse(record.command) as PaidCommand;
}
