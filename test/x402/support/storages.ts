/** Storages for tests of payments. Another handle on the same SQLite or Postgres stands for another process. */
import type pg from 'pg';
import { memoryStorage } from '../../../adapters/storage/memory';
import { postgresStorage } from '../../../adapters/storage/postgres';
import { sqliteStorage } from '../../../adapters/storage/sqlite';
import type { Storage } from '../../../src/ports/storage';
import { describeWith } from '../../support/optional';
import { openRawPostgres, startPostgres, type PostgresServer } from '../../support/postgres';
import { schemasInTurn, type SchemasInTurn } from '../../support/postgres-schemas';
import { migratedSqliteFile } from '../../support/sqlite-files';

export interface SharedData {
  /** Returns a handle that is not open yet. In memory each call returns the same handle. */
  handle(): Storage;
  destroy(): Promise<void>;
}

type Suite = (create: () => Promise<SharedData>) => void;

export function describeOnEveryStorage(title: string, suite: Suite): void {
  describe(`${title} on memory`, () => suite(async () => inMemory()));
  describe(`${title} on SQLite`, () => suite(onSqlite));
  describeWith('postgres', `${title} on Postgres`, () => {
    let server: PostgresServer;
    let raw: pg.Client;
    let schemas: SchemasInTurn;
    beforeAll(async () => {
      server = await startPostgres();
      raw = await openRawPostgres(server.url);
      schemas = schemasInTurn(raw);
    });
    afterAll(async () => {
      await raw.end();
      await server.stop();
    });
    suite(async () => onPostgres(server, schemas));
  });
}

function inMemory(): SharedData {
  const storage = memoryStorage();
  let opened: Promise<void> | null = null;
  const shared: Storage = {
    ...storage,
    open: (context) => (opened ??= storage.open(context)),
    close: () => Promise.resolve(),
  };
  return { handle: () => shared, destroy: () => storage.close() };
}

async function onSqlite(): Promise<SharedData> {
  const { file, remove } = await migratedSqliteFile();
  return {
    handle: () => sqliteStorage({ file }),
    destroy: remove,
  };
}

function onPostgres(server: PostgresServer, schemas: SchemasInTurn): SharedData {
  const schema = schemas.take();
  return {
    handle: () => postgresStorage({ url: server.url, schema, pool: { max: 5 } }),
    destroy: () => schemas.giveBack(schema),
  };
}
