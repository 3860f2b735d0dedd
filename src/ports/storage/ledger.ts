import type { Account, AccountChange, AccountId, Deposit, Posting } from '../../domain/types';

export interface AccountReader {
  find(id: AccountId): Promise<Account | null>;
}
export interface AccountRepository extends AccountReader {
  /**
   * Creates the missing accounts empty, locks all in ascending order of id, and returns them in that order. For
   * wallets, `treasury` and `external`; a pool is a field of its market.
   */
  lock(ids: readonly AccountId[], now: number): Promise<Account[]>;
  /**
   * Adds to each account (one change for each account), and creates it as needed. Rejects if a wallet would fall below
   * zero, or below what is reserved.
   */
  apply(changes: readonly AccountChange[], now: number): Promise<void>;
}

export interface EntryReader {
  /** The entries of one posting, in the order in which they were written; `null` if there is none. */
  findPosting(reference: string): Promise<Posting | null>;
}
export interface EntryRepository extends EntryReader {
  /** Rejects a posting that does not sum to zero, and a reference that exists. */
  insert(postings: readonly Posting[]): Promise<void>;
}

export interface DepositRepository {
  find(reference: string): Promise<Deposit | null>;
  /**
   * `false`, and nothing written, when the reference exists; waits for a transaction that is writing the same one.
   */
  insert(deposit: Deposit): Promise<boolean>;
  /** Writes what the wallet has after the credit. */
  setFundsAfter(reference: string, after: Pick<Account, 'balance' | 'reserved'>): Promise<void>;
}
