import type { Address } from '../../domain/types';
import type { OpenStatus, Withdrawal } from '../../domain/withdrawals';
import type { Page } from './page';

export type NewWithdrawal = Omit<Withdrawal, 'id' | 'walletSeq'>;

export interface WithdrawalReader {
  find(id: number): Promise<Withdrawal | null>;
  /** The newest rows come first (id descending). `total` is the `walletSeq` of the newest withdrawal. */
  list(query: Page & { wallet: Address }): Promise<{ withdrawals: Withdrawal[]; total: number }>;
  /**
   * At most `limit` pending and sent withdrawals with a greater id, ascending. With a `status`, the list has
   * only withdrawals of that status.
   */
  listOpen(query: { status?: OpenStatus; afterId: number; limit: number }): Promise<Withdrawal[]>;
  /** How many pending and sent withdrawals the wallet has. */
  countOpen(wallet: Address): Promise<number>;
}
export interface WithdrawalRepository extends WithdrawalReader {
  /**
   * Gives the withdrawal a higher id than all earlier withdrawals of the wallet, and the next `walletSeq`. The
   * caller has locked the wallet's account.
   */
  insert(withdrawal: NewWithdrawal): Promise<Withdrawal>;
  /** Like `find`, and locks the row until the transaction ends. */
  lock(id: number): Promise<Withdrawal | null>;
  /**
   * Writes `status`, `payoutState`, `transaction`, `reason` and `updatedAt`; rejects when there is no such
   * row.
   */
  update(withdrawal: Withdrawal): Promise<void>;
}
