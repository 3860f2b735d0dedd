import type { ApiKey } from '../../domain/types';
import type { Storage } from '../../ports/storage';

const MOST_KEYS = 500;

/** The keys that are active now, by id. Rejects when the storage does not answer. */
export async function activeKeys(
  storage: Pick<Storage, 'read'>,
  keys: readonly ApiKey[],
): Promise<Map<number, ApiKey>> {
  const hashes = [...new Set(keys.map(({ hash }) => hash))];
  const active = new Map<number, ApiKey>();
  for (let from = 0; from < hashes.length; from += MOST_KEYS) {
    const asked = hashes.slice(from, from + MOST_KEYS);
    const found = await storage.read((reader) => reader.apiKeys.findActiveByHashes(asked));
    for (const key of found) active.set(key.id, key);
  }
  return active;
}
