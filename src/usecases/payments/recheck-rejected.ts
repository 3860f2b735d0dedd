/**
 * Looks up a payment that an operator rejected before its authorization had ended. Its transfer may have been mined since
 * then. In that case the payment is credited, because its payer would otherwise lose the money.
 */
import { isWindowPast, mayStillBeSpent, windowPastAt, type PaymentRecord } from '../../domain/payments';
import type { Context } from '../context';
import { detailsOf, lookUp } from './ask-facilitator';
import { willBeRefused } from './money-of-books';
import { takeLastStep } from './payment-lease';
import { isReadable, PENDING, type PaymentContext, type PaymentOutcome } from './payment-outcomes';
import { belongsToOthers } from './payments-of-others';
import { isPaidHere } from './settle-payment';
import { storeProof } from './store-settlement';

const NEXT_LOOK_MS = 60_000;
/** A facilitator that cannot look payments up is asked this often. */
const MOST_LOOKS = 10;

/** When a payment that an operator rejects now is looked up again. `null`: never. */
export function recheckAt(context: Context, record: PaymentRecord, now: number): number | null {
  if (!isReadable(record) || belongsToOthers(context, record)) return null;
  const { authorization } = detailsOf(record).payment;
  return isWindowPast(authorization, now) ? null : windowPastAt(authorization);
}

/** The caller has the lease of the payment. */
export async function recheckRejected(
  context: PaymentContext,
  record: PaymentRecord,
): Promise<PaymentOutcome> {
  const now = context.clock.now();
  const found = await lookUp(context, record, context.timers);
  if (found.status === 'settled') {
    const paid = { ...record, transaction: found.transaction };
    if (isPaidHere(record, found, now) && !(await willBeRefused(context, paid))) {
      const fields = { paymentId: record.id, transaction: found.transaction };
      context.logger.error(fields, 'a payment that an operator has rejected was settled: it is credited');
      await storeProof(context, record, found.transaction);
      return PENDING;
    }
  }
  const attempts = record.attempts + 1;
  const asOf = found.status === 'unused' ? found.asOf : undefined;
  const { authorization } = detailsOf(record).payment;
  const isOpen =
    found.status === 'unknown' || (found.status === 'unused' && mayStillBeSpent(authorization, asOf, now));
  const dueAt = isOpen && attempts < MOST_LOOKS ? now + NEXT_LOOK_MS : null;
  if (isOpen && dueAt === null)
    context.logger.warn({ paymentId: record.id }, 'no look-up told the fate of a rejected payment');
  await takeLastStep(context, record, dueAt, (stored) => ({ ...stored, attempts }));
  return PENDING;
}
