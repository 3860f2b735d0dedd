import type { Address, ApiKey, Challenge, Creator, CreatorStatus, Scope } from '../../domain/types';
import type { Page } from './page';

export interface ChallengeRepository {
  insert(challenge: Challenge): Promise<void>;
  /**
   * Removes and returns the challenge: only the first caller gets it, and later callers get `null`, as for an
   * unknown nonce. The caller checks the expiry.
   */
  consume(nonce: string): Promise<Challenge | null>;
  /** Removes at most `limit` challenges that expired before the instant, and returns how many. */
  deleteExpired(before: number, limit: number): Promise<number>;
}

export interface ApiKeyReader {
  /** The keys with these hashes that are not revoked, in any order; unknown hashes are left out. */
  findActiveByHashes(hashes: readonly string[]): Promise<ApiKey[]>;
  /** The list is in ascending order of id. */
  listActive(wallet: Address): Promise<ApiKey[]>;
  find(id: number): Promise<ApiKey | null>;
}
export type NewApiKey = Omit<ApiKey, 'id'>;
export interface ApiKeyRepository extends ApiKeyReader {
  insert(key: NewApiKey): Promise<ApiKey>;
  /**
   * Revokes an active key of this wallet and returns the key as it was before; `null` if the wallet has no such
   * key. If several calls revoke a key at once, one of them succeeds.
   */
  revoke(id: number, wallet: Address, now: number): Promise<ApiKey | null>;
  /** Changes an active key and returns it; `null` if there is no such key. */
  update(id: number, change: { rateLimit?: number; scopes?: Scope[] }): Promise<ApiKey | null>;
  /** Moves `lastUsedAt` forward, never back. */
  touch(uses: readonly { id: number; usedAt: number }[]): Promise<void>;
}

export interface CreatorReader {
  find(address: Address): Promise<Creator | null>;
  /** Creators by their newest change, newest first (`updatedAt`, then address ascending). */
  list(query: Page & { status?: CreatorStatus }): Promise<{ creators: Creator[]; total: number }>;
}
export interface CreatorRepository extends CreatorReader {
  /** Like `find`, and locks the row until the transaction ends. */
  lock(address: Address): Promise<Creator | null>;
  /** Inserts or replaces. */
  save(creator: Creator): Promise<void>;
}
