import { describe, expect, it } from '@jest/globals';
import { sqliteStorage } from '../../adapters/storage/sqlite';
import { silentLogger } from '../../src/ports/logger';
import type { Storage } from '../../src/ports/storage';
import { storageConformance, type StorageUnderTest } from '../../testing/storage-conformance';
import { migratedSqliteFile } from '../support/sqlite-files';
import { sqliteInspection, openRaw } from '../support/sqlite-raw';

async function opened(file: string): Promise<Storage> {
  const storage = sqliteStorage({ file });
  await storage.open({ logger: silentLogger });
  return storage;
}

async function onFile(): Promise<StorageUnderTest> {
  const { file, remove } = await migratedSqliteFile();
  const storage = await opened(file);
  const raw = await openRaw(file);
  return {
    storage,
    another: () => opened(file),
    cutOff: false,
    loseCommit: false,
    inspect: sqliteInspection(raw),
    async destroy() {
      await raw.close();
      await storage.close();
      await remove();
    },
  };
}

/** An in-memory database has one connection, so no second handle and no raw connection can reach the database. */
async function inMemory(): Promise<StorageUnderTest> {
  const storage = await opened(':memory:');
  const hooks = { durable: false, another: false, inspect: false, cutOff: false, loseCommit: false } as const;
  return { storage, ...hooks, destroy: () => storage.close() };
}

/** `sqlite-plans.test.ts` checks the costs of lists. */
const provenElsewhere = ['pageCost', 'walkCost'] as const;

describe('sqliteStorage on a file', () => {
  storageConformance({ describe, it, expect }, { create: onFile, provenElsewhere });
});

describe('sqliteStorage in memory', () => {
  storageConformance({ describe, it, expect }, { create: inMemory, provenElsewhere });
});
