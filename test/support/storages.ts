import type pg from 'pg';
import { memoryStorage } from '../../adapters/storage/memory';
import { postgresStorage } from '../../adapters/storage/postgres';
import { sqliteStorage } from '../../adapters/storage/sqlite';
import type { Storage } from '../../src/ports/storage';
import { describeWith, onDebianPostgres } from './optional';
import { openRawPostgres, startPostgres, type PostgresServer } from './postgres';
import { schemasInTurn, type SchemasInTurn } from './postgres-schemas';
import { migratedSqliteFile } from './sqlite-files';

export type StorageName = 'memory' | 'sqlite' | 'postgres';

/** Several handles on SQLite or Postgres act like several processes. Memory has one handle. */
export interface StorageHome {
  handle(): Storage;
  destroy(): Promise<void>;
}

export interface StorageGround {
  name: StorageName;
  create(): Promise<StorageHome>;
}

export function onEachStorage(
  title: string,
  tests: (ground: StorageGround) => void,
  storages: readonly StorageName[] = ['memory', 'sqlite', 'postgres'],
): void {
  const ofProcess = !onDebianPostgres();
  if (ofProcess && storages.includes('memory')) {
    describe(`${title} [memory]`, () => tests({ name: 'memory', create: async () => memoryHome() }));
  }
  if (ofProcess && storages.includes('sqlite')) {
    describe(`${title} [sqlite]`, () => tests({ name: 'sqlite', create: sqliteHome }));
  }
  if (storages.includes('postgres')) {
    describeWith('postgres', `${title} [postgres]`, () => onPostgres(tests));
  }
}

function memoryHome(): StorageHome {
  const storage = memoryStorage();
  return { handle: () => storage, destroy: async () => undefined };
}

async function sqliteHome(): Promise<StorageHome> {
  const { file, remove } = await migratedSqliteFile();
  return {
    handle: () => sqliteStorage({ file }),
    destroy: remove,
  };
}

function onPostgres(tests: (ground: StorageGround) => void): void {
  let server: PostgresServer;
  let raw: pg.Client;
  let schemas: SchemasInTurn;
  beforeAll(async () => {
    server = await startPostgres();
    raw = await openRawPostgres(server.url);
    schemas = schemasInTurn(raw);
  });

  async function create(): Promise<StorageHome> {
    const schema = schemas.take();
    return {
      handle: () => postgresStorage({ url: server.url, schema }),
      destroy: () => schemas.giveBack(schema),
    };
  }
  tests({ name: 'postgres', create });
  // Declared last, so that the server still runs while the tests clean up.
  afterAll(async () => {
    await raw.end();
    await server.stop();
  });
}
