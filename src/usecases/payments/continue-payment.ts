/**
 * Takes a claimed payment to its end: the facilitator verifies and settles the payment, the call runs, and
 * the answer is stored (docs/specification.md "Payment states"). Each state is stored before the next one is
 * worked on, so another instance can continue after a crash.
 */
import type { PaymentRecord } from '../../domain/payments';
import type { PaymentContext, PaymentOutcome } from './payment-outcomes';
import { reconcilePayment } from './settle-payment';
import { servePaid, workOnClaimed } from './work-on-claimed';

/** The caller has the lease of the payment. */
export async function continuePayment(
  context: PaymentContext,
  record: PaymentRecord,
): Promise<PaymentOutcome> {
  switch (record.status) {
    case 'claimed':
      // A claim has a transaction if the money has arrived and the oracle has not answered yet.
      return record.transaction === null
        ? workOnClaimed(context, record)
        : servePaid(context, record, record.transaction);
    case 'submitted':
      return reconcilePayment(context, record);
    case 'settled':
      return servePaid(context, record, record.transaction);
    case 'delivered':
    case 'rejected':
      throw new Error(`Payment ${record.id} is ${record.status}: nothing is left to do`);
  }
}
