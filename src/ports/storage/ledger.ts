import type { Account, AccountChange, AccountId, Address, Deposit, Posting } from '../../domain/types';
import type { Page } from './page';

export interface AccountReader {
  find(id: AccountId): Promise<Account | null>;
}
export interface AccountRepository extends AccountReader {
  /**
   * Creates missing accounts with balance 0, locks all accounts in ascending order of id, and returns them in
   * that order. The ids are those of wallets, `treasury` and `external`; a pool is a field of its market.
   */
  lock(ids: readonly AccountId[], now: number): Promise<Account[]>;
  /**
   * Adds one change to each account, and creates missing accounts. Rejects if the balance of a wallet would
   * fall below zero, or below its reserved part.
   */
  apply(changes: readonly AccountChange[], now: number): Promise<void>;
}

export interface PostingReader {
  /**
   * The posting with its entries in the order in which they were written; `null` if no posting has this
   * reference.
   */
  find(reference: string): Promise<Posting | null>;
}
export interface PostingRepository extends PostingReader {
  /** Rejects a posting that does not sum to zero, and a reference that is taken. */
  insert(postings: readonly Posting[]): Promise<void>;
}

export interface DepositReader {
  /** The deposits of a wallet, newest first (`createdAt`, then reference, both descending). */
  list(query: { wallet: Address } & Page): Promise<Deposit[]>;
}
export interface DepositRepository extends DepositReader {
  find(reference: string): Promise<Deposit | null>;
  /**
   * Returns `false` and writes nothing when the reference is taken; if another transaction is writing this
   * reference, `insert` waits until that transaction ends.
   */
  insert(deposit: Deposit): Promise<boolean>;
  /** Writes `balanceAfter` and `reservedAfter` of the deposit with this reference. */
  setFundsAfter(reference: string, after: Pick<Account, 'balance' | 'reserved'>): Promise<void>;
}
