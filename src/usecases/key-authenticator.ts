import { hashApiKey, isWellFormedApiKey } from '../crypto/api-key';
import type { ApiKey } from '../domain/types';
import { createBatchedLookup } from './batched-lookup';
import type { Context } from './context';

export interface KeyAuthenticator {
  /** The active key behind a raw one; `null` for one that is missing, malformed, unknown or revoked. Rejects when the storage is away. */
  authenticate(raw: string | undefined): Promise<ApiKey | null>;
}

/** `lastUsedAt` is kept to the minute: a write for every request would cost more than the request. */
const USE_RESOLUTION_MS = 60_000;

/** Look-ups of one tick share a query; nothing is cached, so that a revocation holds at once on every instance. */
export function createKeyAuthenticator(context: Context): KeyAuthenticator {
  const { storage, clock, logger } = context;
  const byHash = createBatchedLookup(async (hashes: readonly string[]) => {
    const found = await storage.read((reader) => reader.apiKeys.findActiveByHashes(hashes));
    return new Map(found.map((key) => [key.hash, key]));
  });
  const uses = createBatchedLookup(async (ids: readonly number[]) => {
    const usedAt = clock.now();
    await storage.transaction((tx) => tx.apiKeys.touch(ids.map((id) => ({ id, usedAt }))));
    return new Map<number, undefined>();
  });

  async function recordUse(key: ApiKey): Promise<void> {
    const sinceLast = clock.now() - (key.lastUsedAt ?? -Infinity);
    if (sinceLast < USE_RESOLUTION_MS) return;
    try {
      await uses.find(key.id);
    } catch (error) {
      logger.warn({ err: error, keyId: key.id }, 'The use of an API key could not be recorded');
    }
  }

  return {
    authenticate: async (raw) => {
      if (raw === undefined || !isWellFormedApiKey(raw)) return null;
      const key = await byHash.find(hashApiKey(raw));
      if (key === undefined) return null;
      await recordUse(key);
      return key;
    },
  };
}
