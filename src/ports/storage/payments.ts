import type { PaymentKey, PaymentRecord, PaymentStatus } from '../../domain/payments';
import type { Page } from './page';

export type NewPayment = Omit<PaymentRecord, 'id'>;

export interface PaymentBacklog {
  status: PaymentStatus;
  count: number;
  /** The earliest `createdAt` of these payments. */
  oldest: number;
}

export interface PaymentReader {
  find(key: PaymentKey): Promise<PaymentRecord | null>;
  /** The newest rows come first (id descending). */
  list(query: Page & { status?: PaymentStatus }): Promise<PaymentRecord[]>;
  /**
   * The payments with a `dueAt`, counted by status, in any order; of these only the `limit` whose `dueAt` is earliest.
   * Statuses without such payments are left out.
   */
  backlog(limit: number): Promise<PaymentBacklog[]>;
}
export interface PaymentRepository extends PaymentReader {
  /**
   * Claims (asset, payer, nonce): returns `null` and writes nothing when it is taken; if another transaction is
   * writing this claim, `insert` waits until that transaction ends. Ids are unique; gaps are allowed.
   */
  insert(payment: NewPayment): Promise<PaymentRecord | null>;
  /** Like `find`, by id, and locks the row until the transaction ends. */
  lock(id: number): Promise<PaymentRecord | null>;
  /**
   * Writes every field except the key, `operation`, `fingerprint`, `amount` and `createdAt`; rejects when
   * there is no such row.
   */
  update(payment: PaymentRecord): Promise<void>;
  /** Removes the payment, so that its key can be claimed again. */
  delete(id: number): Promise<void>;
  /**
   * Takes up to `limit` payments with `dueAt <= now` that no other caller is taking at this moment, earliest
   * first: sets `dueAt` and `leaseUntil` to `leaseUntil`, raises `leaseToken`, and returns them with these
   * changes. A payment whose `dueAt` and `leaseUntil` lie more than five minutes after `now` was leased by a
   * wrong clock. That payment is taken like a due one, after the payments that are due.
   */
  leaseDue(query: { now: number; leaseUntil: number; limit: number }): Promise<PaymentRecord[]>;
  /**
   * Removes at most `limit` rejected payments that were last changed before the instant and that no operator
   * has decided on, and returns how many.
   */
  deleteRejected(updatedBefore: number, limit: number): Promise<number>;
}
