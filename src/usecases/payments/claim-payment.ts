import type { PaymentKey, PaymentRecord } from '../../domain/payments';
import type { NewPayment, Transaction } from '../../ports/storage';
import type { Context } from '../context';
import { FIRST_LEASE_TOKEN, PAYMENT_LEASE_MS } from './payment-lease';

export type NewClaim = PaymentKey &
  Pick<NewPayment, 'amount' | 'fingerprint' | 'operation' | 'payment' | 'command'>;

/**
 * Claims (asset, payer, nonce) for this instance. `null` when a claim exists already. `check` runs first in the
 * transaction. If `check` rejects, nothing is claimed.
 */
export function claimPayment(
  { storage, clock }: Pick<Context, 'storage' | 'clock'>,
  claim: NewClaim,
  check: (transaction: Transaction) => Promise<void>,
): Promise<PaymentRecord | null> {
  const now = clock.now();
  const until = now + PAYMENT_LEASE_MS;
  return storage.transaction(async (transaction) => {
    await check(transaction);
    return transaction.payments.insert({
      ...claim,
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
    });
  });
}
