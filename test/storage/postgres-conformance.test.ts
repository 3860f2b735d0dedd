import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { postgresStorage } from '../../adapters/storage/postgres';
import { silentLogger } from '../../src/ports/logger';
import type { Storage } from '../../src/ports/storage';
import { storageConformance, type StorageUnderTest } from '../../testing/storage-conformance';
import { openRawPostgres, postgresInspection, startPostgres, type PostgresServer } from '../support/postgres';
import { schemasInTurn, type SchemasInTurn } from '../support/postgres-schemas';
import { startPostgresProxy } from '../support/postgres-proxy';

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

async function opened(schema: string, url = server.url): Promise<Storage> {
  const storage = postgresStorage({ url, schema, pool: { max: 5 } });
  await storage.open({ logger: silentLogger });
  return storage;
}

async function create(): Promise<StorageUnderTest> {
  const schema = schemas.take();
  const proxy = await startPostgresProxy(server.url);
  const storage = await opened(schema, proxy.url);
  return {
    storage,
    another: () => opened(schema),
    inspect: postgresInspection(raw, schema),
    cutOff: async () => proxy.cutOff(),
    loseCommit: async () => proxy.loseCommit({ number: 1, touching: /./ }),
    async destroy() {
      await storage.close();
      await proxy.close();
      await schemas.giveBack(schema);
    },
  };
}

describe('postgresStorage', () => {
  storageConformance({ describe, it, expect }, { create, provenElsewhere: ['pageCost', 'walkCost'] });
});
