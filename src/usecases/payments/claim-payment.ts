import type { PaymentRecord } from '../../domain/payments';
import type { NewPayment } from '../../ports/storage';
import type { Context } from '../context';
import { FIRST_LEASE_TOKEN, PAYMENT_LEASE_MS } from './payment-lease';

/** Claims (asset, payer, nonce) for this instance. `null` when a claim exists already. */
export function claimPayment(
  { storage, clock }: Pick<Context, 'storage' | 'clock'>,
  payment: Omit<
    NewPayment,
    | 'status'
    | 'transaction'
    | 'answer'
    | 'reason'
    | 'createdAt'
    | 'updatedAt'
    | 'leaseUntil'
    | 'leaseToken'
    | 'dueAt'
    | 'attempts'
    | 'decision'
  >,
): Promise<PaymentRecord | null> {
  const now = clock.now();
  const until = now + PAYMENT_LEASE_MS;
  return storage.transaction((transaction) =>
    transaction.payments.insert({
      ...payment,
      status: 'claimed',
      transaction: null,
      answer: null,
      reason: null,
      createdAt: now,
      updatedAt: now,
      leaseUntil: until,
      leaseToken: FIRST_LEASE_TOKEN,
      dueAt: until,
      attempts: 0,
      decision: null,
    }),
  );
}
