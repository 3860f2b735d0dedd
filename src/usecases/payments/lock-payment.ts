import type { PaymentKey, PaymentRecord } from '../../domain/payments';
import type { Transaction } from '../../ports/storage';

/**
 * Locks the row of a payment that this instance remembers. `null` if the row is gone. A database that has lost its newest
 * commits may have given the id to another payment, or to another request for the same payment. Then the row counts as gone
 * too.
 */
export async function lockPayment(
  { payments }: Pick<Transaction, 'payments'>,
  remembered: Pick<PaymentRecord, keyof PaymentKey | 'id' | 'fingerprint'>,
): Promise<PaymentRecord | null> {
  const stored = await payments.lock(remembered.id);
  return stored !== null && isSame(stored, remembered) ? stored : null;
}

type Claim = Pick<PaymentRecord, keyof PaymentKey | 'fingerprint'>;

const isSame = (one: Claim, other: Claim): boolean =>
  one.nonce === other.nonce &&
  one.payer === other.payer &&
  one.asset === other.asset &&
  one.fingerprint === other.fingerprint;
