/** Stores a proven settlement, even if another instance has the lease by then or has rejected the payment. */
import { endLease, settlePayment, type PaymentKey, type PaymentRecord } from '../../domain/payments';
import type { Transaction } from '../../ports/storage';
import type { Context } from '../context';
import { lockPayment } from './lock-payment';

type StoreContext = Pick<Context, 'storage' | 'clock'>;

/**
 * Stores that the money has arrived. If the lease and the request are still those of `record` and the payment is
 * neither answered nor rejected, `goOn` is called in the same transaction. `goOn` gets the settled payment and returns
 * the row to store. If the payment has its answer already, only the lease of this worker ends. A payment that an
 * operator has paid back stays rejected. Resolves with the stored payment.
 */
export function storeSettled(
  { storage, clock }: StoreContext,
  record: PaymentRecord,
  transactionHash: string | null,
  goOn: (transaction: Transaction, settled: PaymentRecord) => Promise<PaymentRecord>,
): Promise<PaymentRecord> {
  return storage.transaction(async (transaction) => {
    const stored = await lockAgain(transaction, record);
    if (isAnswered(stored)) return endWork(transaction, stored, record);
    if (stored.status === 'rejected' && stored.decision?.isPaidBack === true) return stored;
    const now = clock.now();
    // The payer may have claimed the payment again for another request, after the first claim was deleted.
    const isSameRequest = stored.fingerprint === record.fingerprint;
    const answer = stored.answer ?? (isSameRequest ? record.answer : null);
    const settled = { ...settlePayment(stored, { transaction: transactionHash, now }), answer };
    const isOurs = isSameRequest && stored.leaseToken === record.leaseToken && stored.status !== 'rejected';
    // If another worker or no worker has the lease, the reconciliation runs the call. A rejected payment may be due only in
    // some hours.
    const dueAt = stored.status === 'rejected' ? now : (settled.dueAt ?? now);
    const next = isOurs ? await goOn(transaction, settled) : { ...settled, dueAt };
    await transaction.payments.update(next);
    return next;
  });
}

/** Stores that the money has arrived, and leaves the call to the reconciliation. */
export function storeProof(
  context: StoreContext,
  record: PaymentRecord,
  transactionHash: string | null,
): Promise<PaymentRecord> {
  return storeSettled(context, record, transactionHash, async (_transaction, settled) => ({
    ...settled,
    leaseUntil: 0,
    dueAt: context.clock.now(),
  }));
}

/**
 * Ends the lease of a payment that has its answer, so that the reconciliation does not take the payment again. The
 * payer fetches the answer.
 */
async function endWork(
  transaction: Transaction,
  stored: PaymentRecord,
  { leaseToken }: PaymentRecord,
): Promise<PaymentRecord> {
  if (stored.dueAt === null || stored.leaseToken !== leaseToken) return stored;
  const ended = endLease(stored, null);
  await transaction.payments.update(ended);
  return ended;
}

function isAnswered({ status, answer }: PaymentRecord): boolean {
  return status === 'delivered' || (status === 'settled' && answer !== null);
}

/**
 * Locks the row of the payment. Another instance that did not know of the settlement may have deleted the
 * claim. Then the row is inserted again. If the payer has claimed the payment again meanwhile, the new row is
 * locked. A payer can sign a nonce for several amounts, and the token accepts only one of them. So a rejected new row
 * of another amount gives its place to the settled payment, unless an operator has decided on it. Rejects while
 * another new row of another amount is there.
 */
async function lockAgain(transaction: Transaction, record: PaymentRecord): Promise<PaymentRecord> {
  const locked =
    (await lockPayment(transaction, record)) ??
    (await transaction.payments.insert(record)) ??
    (await lockNew(transaction, record));
  if (locked === null)
    throw new Error(`Payment ${record.id} was claimed and given back while it was settled`);
  if (locked.amount === record.amount) return locked;
  if (locked.status === 'rejected' && locked.decision === null) {
    await transaction.payments.delete(locked.id);
    const inserted = await transaction.payments.insert(record);
    if (inserted !== null) return inserted;
  }
  throw new Error(`Payment ${record.id} was settled, and was claimed again with another amount`);
}

async function lockNew(transaction: Transaction, key: PaymentKey): Promise<PaymentRecord | null> {
  const found = await transaction.payments.find(key);
  return found === null ? null : lockPayment(transaction, found);
}
