import type { PaymentKey, PaymentRecord } from '../../domain/payments';
import type { Transaction } from '../../ports/storage';

/**
 * Locks the row of a payment that this instance remembers. `null` if the row is gone. A database that has lost its newest
 * commits may have given the id to another payment. That row counts as gone too.
 */
export async function lockPayment(
  { payments }: Pick<Transaction, 'payments'>,
  remembered: Pick<PaymentRecord, keyof PaymentKey | 'id'>,
): Promise<PaymentRecord | null> {
  const stored = await payments.lock(remembered.id);
  return stored !== null && isSame(stored, remembered) ? stored : null;
}

const isSame = (one: PaymentKey, other: PaymentKey): boolean =>
  one.nonce === other.nonce && one.payer === other.payer && one.asset === other.asset;
