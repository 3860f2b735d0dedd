/** Statements that are sent after a refused BEGIN would each commit on their own. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { postgresConnector } from '../../adapters/storage/postgres/connector';
import { connectionPools } from '../../adapters/storage/postgres/pools';
import { postgresDialect } from '../../adapters/shared/sql/postgres-dialect';
import { sqlRepositories } from '../../adapters/shared/sql/repositories';
import { sqlStorage } from '../../adapters/shared/sql/sql-storage';
import { silentLogger } from '../../src/ports/logger';
import type { Storage, Transaction } from '../../src/ports/storage';
import { ALICE, depositPosting, NOW, sampleEvent } from '../../testing/storage-conformance/samples';
import { describeWith } from '../support/optional';
import { freshSchema, openRawPostgres, startPostgres, type PostgresServer } from '../support/postgres';
import { startRefusingProxy, type RefusingProxy } from '../support/refusing-proxy';

const requireFromHere = createRequire(join(process.cwd(), 'package.json'));

class QueuingClient extends pg.Client {
  constructor(config: object) {
    super({ ...config, pipeline: false } as pg.ClientConfig);
  }
}
const queuing = (name: string): unknown =>
  name === 'pg' ? { ...pg, Client: QueuingClient } : requireFromHere(name);

const DRIVERS = [
  ['that sends ahead', undefined],
  ['that queues', queuing],
] as const;
/** Cancelled, out of memory, internal error, and lacking a privilege. */
const STATES = ['57014', '53200', 'XX000', '42501'] as const;

describeWith('postgres', 'a BEGIN that is refused', () => {
  let server: PostgresServer;
  let proxy: RefusingProxy;
  let raw: pg.Client;
  let schema: string;
  let storage: Storage;

  beforeAll(async () => {
    server = await startPostgres();
    raw = await openRawPostgres(server.url);
  });
  afterAll(async () => {
    await raw.end();
    await server.stop();
  });
  beforeEach(async () => {
    schema = freshSchema();
    proxy = await startRefusingProxy(server.url);
  });
  afterEach(async () => {
    await storage.close();
    await proxy.close();
    await raw.query(`DROP SCHEMA ${schema} CASCADE`);
  });

  async function open(load?: (name: string) => unknown): Promise<void> {
    const dialect = postgresDialect(schema);
    const pools = connectionPools({ url: proxy.url, maxConnections: 2 }, load);
    storage = sqlStorage(postgresConnector(pools, dialect, { schema }), sqlRepositories(dialect));
    await storage.open({ logger: silentLogger });
  }

  const written = async (): Promise<unknown> =>
    (
      await raw.query(`SELECT (SELECT count(*) FROM ${schema}.deposits) AS deposits,
        (SELECT count(*) FROM ${schema}.settings) AS settings,
        (SELECT count(*) FROM ${schema}.postings) AS postings,
        (SELECT count(*) FROM ${schema}.accounts) AS accounts,
        (SELECT count(*) FROM ${schema}.event_batches) AS events`)
    ).rows[0];

  const NOTHING = { deposits: '0', settings: '0', postings: '0', accounts: '0', events: '0' };

  /** A driver that does not wait for answers sends all these statements right behind BEGIN. */
  const hasty = async (transaction: Transaction): Promise<void> => {
    const deposit = { reference: 'a', wallet: ALICE, amount: 5n, createdAt: NOW };
    await Promise.all([
      transaction.settings.get('a'),
      transaction.deposits.insert({ ...deposit, balanceAfter: 0n, reservedAfter: 0n }),
      transaction.accounts.lock(['external'], NOW),
      transaction.postings.insert([depositPosting('deposit:a', ALICE, 5n)]),
      transaction.events.append([sampleEvent()]),
      transaction.settings.putIfAbsent('a', 'b'),
    ]);
  };

  describe.each(DRIVERS)('to a driver %s', (_kind, load) => {
    it.each(STATES)('with %s leaves nothing of the transaction, and the next one is whole', async (state) => {
      await open(load);
      proxy.refuse(state, 1);
      await expect(storage.transaction(hasty)).rejects.toBeDefined();
      expect(proxy.refused()).toBe(1);
      expect(await written()).toEqual(NOTHING);
      await storage.transaction(hasty);
      expect(await written()).toMatchObject({ deposits: '1', settings: '1', postings: '1', accounts: '1' });
    });

    it('is a refusal for a work that asks nothing, or hides what it has heard', async () => {
      await open(load);
      proxy.refuse('53200', 2);
      await expect(storage.transaction(async () => 'done')).rejects.toBeDefined();
      const hiding = storage.transaction((transaction) =>
        transaction.settings.putIfAbsent('a', 'b').catch(() => 'hidden'),
      );
      await expect(hiding).rejects.toBeDefined();
      expect(await written()).toEqual(NOTHING);
    });

    it('leaves a read alone: it changes nothing, and the next one is answered', async () => {
      await open(load);
      proxy.refuse('53200', 1);
      await Promise.allSettled([storage.read((r) => r.settings.get('a'))]);
      expect(await storage.read((r) => r.settings.get('a'))).toBeNull();
      await storage.transaction(hasty);
      expect(await storage.read((r) => r.settings.get('a'))).toBe('b');
    });
  });
});
