import { hashApiKey, isWellFormedApiKey } from '../../crypto/api-key';
import type { ApiKey } from '../../domain/types';
import { createBatchedLookup } from '../batched-lookup';
import type { Context } from '../context';
import { createUseRecorder } from './key-use-recorder';

export interface KeyAuthenticator {
  /**
   * The active key with this raw text; `null` when the text is missing, malformed, unknown or revoked.
   * Rejects when the storage cannot be reached.
   */
  authenticate(raw: string | undefined): Promise<ApiKey | null>;
}

/**
 * Recognises raw keys (docs/specification.md "Key format"). A key with a wrong checksum needs no look-up.
 * Nothing is cached, so a revoked key is refused at once on every instance.
 */
export function createKeyAuthenticator(
  context: Pick<Context, 'storage' | 'clock' | 'logger'>,
): KeyAuthenticator {
  const uses = createUseRecorder(context);
  const byHash = createBatchedLookup(async (hashes: readonly string[]) => {
    const found = await context.storage.read((reader) => reader.apiKeys.findActiveByHashes(hashes));
    return new Map(found.map((key) => [key.hash, key]));
  });
  return {
    authenticate: async (raw) => {
      if (raw === undefined || !isWellFormedApiKey(raw)) return null;
      const key = await byHash.find(hashApiKey(raw));
      if (key === undefined) return null;
      const recorded = uses.record(key);
      // The first use is stored before the answer, so that a caller who then lists the keys sees it. Later
      // uses are stored while the caller gets the answer.
      if (key.lastUsedAt === null) await recorded;
      return key;
    },
  };
}
