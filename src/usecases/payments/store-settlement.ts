/** A proven settlement is a fact: it is stored whoever holds the lease of the payment by then, and whatever was thought before. */
import { settlePayment, type PaymentRecord } from '../../domain/payments';
import type { Transaction } from '../../ports/storage';
import type { Context } from '../context';

type StoreContext = Pick<Context, 'storage' | 'clock'>;

/**
 * Stores that the money has arrived. `goOn` continues from the stored payment in the same transaction, and gives what is to
 * be stored instead: only where the lease is still the one of `record`, and where no answer is stored yet. Returns what is
 * stored in the end.
 */
export function storeSettled(
  { storage, clock }: StoreContext,
  record: PaymentRecord,
  transaction: string | null,
  goOn: (tx: Transaction, settled: PaymentRecord) => Promise<PaymentRecord>,
): Promise<PaymentRecord> {
  return storage.transaction(async (tx) => {
    const stored = await lockAgain(tx, record);
    if (isAnswered(stored)) return stored;
    const now = clock.now();
    const answer = stored.answer ?? record.answer;
    const settled = { ...settlePayment(stored, { transaction, now }), answer };
    const isOurs = stored.leaseToken === record.leaseToken && stored.status !== 'rejected';
    // Whoever else holds it, or nobody: the reconciliation goes on from here.
    const next = isOurs ? await goOn(tx, settled) : { ...settled, dueAt: settled.dueAt ?? now };
    await tx.payments.update(next);
    return next;
  });
}

function isAnswered({ status, answer }: PaymentRecord): boolean {
  return status === 'delivered' || (status === 'settled' && answer !== null);
}

/** A claim may have been given back by an instance that knew less, and perhaps taken again. */
async function lockAgain(tx: Transaction, record: PaymentRecord): Promise<PaymentRecord> {
  const stored = (await tx.payments.lock(record.id)) ?? (await tx.payments.insert(record));
  if (stored !== null) return stored;
  const claimedAgain = await tx.payments.find(record);
  const locked = claimedAgain === null ? null : await tx.payments.lock(claimedAgain.id);
  if (locked === null)
    throw new Error(`Payment ${record.id} was claimed and given back while it was settled`);
  return locked;
}
