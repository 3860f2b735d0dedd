/**
 * Looks up a rejected payment that may have paid us all the same: an operator rejected the payment before its
 * authorization had ended, or the facilitator refused the first submission and did not know whether another sender had
 * submitted it. If its transfer has been mined, the payment is credited. Otherwise its payer would lose the money.
 */
import {
  firstUseOf,
  isWindowPast,
  mayStillBeSpent,
  windowPastAt,
  type PaymentRecord,
} from '../../domain/payments';
import type { LookupResult, SettledAuthorization } from '../../ports/facilitator';
import type { Context } from '../context';
import { detailsOf, lookUp } from './ask-facilitator';
import { willBeRefused } from './money-of-books';
import { takeLastStep } from './payment-lease';
import { isReadable, PENDING, type PaymentContext, type PaymentOutcome } from './payment-outcomes';
import { belongsToOthers } from './payments-of-others';
import { isPaidHere } from './settle-payment';
import { storeProof } from './store-settlement';

/** The pause after the first look-up. Each further pause is twice as long. All pauses together take 8.5 hours. */
const FIRST_PAUSE_MS = 60_000;
/** The most look-ups of one payment. If none of them tells whether the payer was charged, it stays rejected. */
const MOST_LOOKS = 10;

/**
 * When a payment that an operator rejects now is looked up again. `null`: never. A payment with a transaction has paid,
 * and the operator knows that (decide-payment.ts).
 */
export function recheckAt(context: Context, record: PaymentRecord, now: number): number | null {
  if (!isReadable(record) || belongsToOthers(context, record) || record.transaction !== null) return null;
  const { authorization } = detailsOf(record).payment;
  return isWindowPast(authorization, now) ? null : windowPastAt(authorization);
}

/** Whether the service rejected the payment, and looks it up again when its authorization has ended. */
export const isRefused = (record: PaymentRecord): boolean =>
  isReadable(record) && detailsOf(record).isRefused === true;

/** The caller has the lease of the payment. */
export async function recheckRejected(
  context: PaymentContext,
  record: PaymentRecord,
): Promise<PaymentOutcome> {
  const now = context.clock.now();
  const found = await lookUp(context, record, context.timers);
  if (found.status === 'settled' && isCredited(record, found, now)) {
    const isRefused = await willBeRefused(context, { ...record, transaction: found.transaction });
    return isRefused ? end(context, record) : credit(context, record, found.transaction);
  }
  if (!mayStillBePaid(record, found, now)) return end(context, record);
  if (record.attempts + 1 < MOST_LOOKS)
    return end(context, record, now + FIRST_PAUSE_MS * 2 ** record.attempts);
  context.logger.warn({ paymentId: record.id, found }, 'no look-up told the fate of a rejected payment');
  return end(context, record);
}

/** A payment that was never submitted here counts as paid only if its transfer came after its claim. */
function isCredited(record: PaymentRecord, found: SettledAuthorization, now: number): boolean {
  return isRefused(record) || record.decision?.was === 'submitted'
    ? isPaidHere(record, found, now)
    : firstUseOf(record, found, now) === 'presented';
}

/** Whether a later look-up may show that the payment was paid. */
function mayStillBePaid(record: PaymentRecord, found: LookupResult, now: number): boolean {
  switch (found.status) {
    case 'invalid':
      return false;
    case 'unknown':
      return true;
    case 'unused':
      return mayStillBeSpent(detailsOf(record).payment.authorization, found.asOf, now);
    case 'settled':
      return firstUseOf(record, found, now) === 'unknown';
  }
}

async function credit(
  context: PaymentContext,
  record: PaymentRecord,
  transaction: string | null,
): Promise<PaymentOutcome> {
  const fields = { paymentId: record.id, transaction };
  context.logger.error(fields, 'a rejected payment was settled: it is credited');
  try {
    await storeProof(context, record, transaction);
    return PENDING;
  } catch (err) {
    // A later look-up may not find the settlement again.
    context.logger.warn({ err, ...fields }, 'a settlement was not stored');
    return { kind: 'unstored', settlement: { payment: record, transaction } };
  }
}

async function end(
  context: PaymentContext,
  record: PaymentRecord,
  dueAt: number | null = null,
): Promise<PaymentOutcome> {
  const attempts = record.attempts + 1;
  await takeLastStep(context, record, dueAt, (stored) => ({ ...stored, attempts }));
  return PENDING;
}
