import type { Address } from '../../domain/types';

export interface IdempotencyRecord {
  wallet: Address;
  key: string;
  /** The SHA-256 of the operation and its arguments. */
  requestHash: string;
  /** The answer as JSON. */
  answer: string;
  createdAt: number;
}
export interface IdempotencyRepository {
  find(keys: readonly { wallet: Address; key: string }[]): Promise<IdempotencyRecord[]>;
  /**
   * If (wallet, key) is taken, the transaction runs again from the start, as after a serialization failure,
   * so that the next run finds the record.
   */
  insert(records: readonly IdempotencyRecord[]): Promise<void>;
  /** Removes at most `limit` records that were created before the instant, and returns how many. */
  deleteBefore(createdBefore: number, limit: number): Promise<number>;
}
