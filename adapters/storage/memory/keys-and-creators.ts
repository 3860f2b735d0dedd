import type { ApiKey } from '../../../src/domain/types';
import type {
  ApiKeyReader,
  ApiKeyRepository,
  ChallengeRepository,
  CreatorReader,
  CreatorRepository,
  SettingsReader,
  SettingsRepository,
} from '../../../src/ports/storage';
import { addTo, ALL, newestChangeFirst, type Database, type Gate } from './database';
import { mergedPage, only, take } from './paging';
import { copyApiKey, copyChallenge, copyCreator } from './rows';

export function settingsReader(db: Database, gate: Gate): SettingsReader {
  return { get: (name) => gate(() => db.settings.get(name)?.value ?? null) };
}

export function settingsRepository(db: Database, gate: Gate): SettingsRepository {
  return addTo<SettingsReader, SettingsRepository>(settingsReader(db, gate), {
    putIfAbsent: (name, value) =>
      gate(() => {
        const stored = db.settings.get(name);
        if (stored === undefined) db.settings.put({ name, value });
        return stored?.value ?? value;
      }),
    put: (name, value) => gate(() => void db.settings.put({ name, value })),
  });
}

export function challengeRepository(db: Database, gate: Gate): ChallengeRepository {
  return {
    insert: (challenge) =>
      gate(() => {
        if (db.challenges.has(challenge.nonce))
          throw new Error('storage: a challenge with this nonce exists');
        db.challenges.put(copyChallenge(challenge));
      }),
    consume: (nonce) =>
      gate(() => {
        const challenge = db.challenges.get(nonce);
        db.challenges.remove(nonce);
        return challenge === undefined ? null : copyChallenge(challenge);
      }),
    deleteExpired: (before, limit) =>
      gate(() => {
        const oldestFirst = db.challengesByExpiry.in(ALL).ascending();
        const expired = take(oldestFirst, limit).filter((key) => key.time < before);
        for (const key of expired) db.challenges.remove(key.id);
        return expired.length;
      }),
  };
}

export function apiKeyReader(db: Database, gate: Gate): ApiKeyReader {
  return {
    findActiveByHashes: (hashes) =>
      gate(() => {
        const found: ApiKey[] = [];
        for (const hash of new Set(hashes)) {
          const key = db.apiKeysByHash.get(hash);
          if (key !== undefined && key.revokedAt === null) found.push(copyApiKey(key));
        }
        return found;
      }),
    listActive: (wallet) =>
      gate(() =>
        [...db.activeKeysByWallet.in(wallet).ascending()].map((id) =>
          copyApiKey(db.apiKeys.get(id) as ApiKey),
        ),
      ),
    find: (id) =>
      gate(() => {
        const key = db.apiKeys.get(id);
        return key === undefined ? null : copyApiKey(key);
      }),
  };
}

export function apiKeyRepository(db: Database, gate: Gate): ApiKeyRepository {
  return addTo<ApiKeyReader, ApiKeyRepository>(apiKeyReader(db, gate), {
    insert: (key) =>
      gate(() => {
        if (db.apiKeysByHash.get(key.hash) !== undefined)
          throw new Error('storage: an API key with this hash exists');
        const row = copyApiKey({ ...key, id: db.nextNumber('api-key') });
        db.apiKeys.put(row);
        return copyApiKey(row);
      }),
    revoke: (id, wallet, now) =>
      gate(() => {
        const key = activeKey(db, id);
        if (key === null || key.wallet !== wallet) return null;
        db.apiKeys.put({ ...key, revokedAt: now });
        return copyApiKey(key);
      }),
    update: (id, change) =>
      gate(() => {
        const key = activeKey(db, id);
        if (key === null) return null;
        const { rateLimit = key.rateLimit, scopes = key.scopes } = change;
        const row = copyApiKey({ ...key, rateLimit, scopes });
        db.apiKeys.put(row);
        return copyApiKey(row);
      }),
    touch: (uses) =>
      gate(() => {
        for (const { id, usedAt } of uses) {
          const key = db.apiKeys.get(id);
          if (key !== undefined && usedAt > (key.lastUsedAt ?? -Infinity))
            db.apiKeys.put({ ...key, lastUsedAt: usedAt });
        }
      }),
  });
}

function activeKey(db: Database, id: number): ApiKey | null {
  const key = db.apiKeys.get(id);
  return key === undefined || key.revokedAt !== null ? null : key;
}

export function creatorReader(db: Database, gate: Gate): CreatorReader {
  return {
    find: (address) =>
      gate(() => {
        const creator = db.creators.get(address);
        return creator === undefined ? null : copyCreator(creator);
      }),
    list: ({ status, limit, offset }) =>
      gate(() => {
        const index = db.creatorsByStatus;
        const sets = [...only(index.partitions(), (name) => status === undefined || name === status)].map(
          (name) => index.in(name),
        );
        const keys = mergedPage(
          sets.map((set) => set.ascending()),
          newestChangeFirst,
          { limit, offset },
        );
        return {
          creators: keys
            .map(({ id }) => db.creators.get(id))
            .filter((row) => row !== undefined)
            .map(copyCreator),
          total: sets.reduce((sum, set) => sum + set.size, 0),
        };
      }),
  };
}

export function creatorRepository(db: Database, gate: Gate): CreatorRepository {
  const reader = creatorReader(db, gate);
  return addTo<CreatorReader, CreatorRepository>(reader, {
    // There is one writer at a time, so `lock` needs only to read.
    lock: (address) => reader.find(address),
    save: (creator) => gate(() => db.creators.put(copyCreator(creator))),
  });
}
