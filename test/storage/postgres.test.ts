import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { postgresPools } from '../../adapters/shared/sql/postgres-pool';
import { postgresStorage, type SqlStorage } from '../../adapters/storage/postgres';
import { onlyReads } from '../../adapters/storage/postgres/transactions';
import { initialSchema } from '../../adapters/shared/sql/migrations/0001-initial';
import { postgresDialect } from '../../adapters/shared/sql/postgres-dialect';
import { silentLogger } from '../../src/ports/logger';
import type { Storage } from '../../src/ports/storage';
import { addMarket, ALICE, NOW, sampleCreator, sampleEvent } from '../../testing/storage-conformance/samples';
import { freshSchema, openRawPostgres, startPostgres, type PostgresServer } from '../support/postgres';

const UNAVAILABLE = expect.objectContaining({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 });
/** The sessions of this test file. Other test files use other databases of the same server. */
const OURS = `datname = current_database() AND application_name = 'express-prediction-market'`;

let server: PostgresServer;
let raw: pg.Client;
let schema: string;
const toClose: Storage[] = [];

beforeAll(async () => {
  server = await startPostgres();
  raw = await openRawPostgres(server.url);
});
afterAll(async () => {
  await raw.end();
  await server.stop();
});
beforeEach(() => {
  schema = freshSchema();
});
afterEach(async () => {
  for (const storage of toClose.splice(0)) await storage.close();
  await raw.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
});

async function opened(): Promise<SqlStorage> {
  const storage = postgresStorage({ url: server.url, schema, pool: { max: 4 } });
  await storage.open({ logger: silentLogger });
  toClose.push(storage);
  return storage;
}

const credit = (storage: Storage): Promise<void> =>
  storage.transaction((transaction) => transaction.accounts.apply([{ id: 'treasury', balance: 1n }], NOW));

async function treasury(storage: Storage): Promise<string> {
  return String((await storage.read((r) => r.accounts.find('treasury')))?.balance ?? 0n);
}

describe('options', () => {
  it.each([
    [{ url: 'mysql://host/database' }, /url must be of the form postgres:/],
    [{ url: 'postgres://host/database', schema: 'a"; DROP' }, /schema must be lower-case/],
    [{ url: 'postgres://host/database', pool: { max: 1 } }, /pool\.max must be an integer of at least 2/],
  ])('%j is refused', (options, message) => {
    expect(() => postgresStorage(options)).toThrow(message);
  });

  it('name the package when pg is not installed', () => {
    const load = (name: string): unknown => {
      if (name === 'sequelize') return { Sequelize: class {}, QueryTypes: {} };
      throw Object.assign(new Error(`Cannot find module '${name}'`), { code: 'MODULE_NOT_FOUND' });
    };
    expect(() => postgresPools({ url: 'postgres://host/database' }, load)).toThrow(
      /^postgresStorage needs the package "pg", which is not installed: run npm install pg$/,
    );
  });
});

describe('opening', () => {
  it('leaves no rows but the names of the migrations, so that an emptied schema is as good as a fresh one', async () => {
    await opened();
    const tables = await raw.query<{ name: string }>(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = $1 ORDER BY tablename`,
      [schema],
    );
    const filled: string[] = [];
    for (const { name } of tables.rows)
      if ((await raw.query(`SELECT 1 FROM ${schema}.${name} LIMIT 1`)).rows.length > 0) filled.push(name);
    expect(filled).toEqual(['schema_migrations']);
  });

  it('migrates a fresh schema once, however many open it at the same time', async () => {
    await Promise.all(Array.from({ length: 4 }, () => opened()));
    const { rows } = await raw.query(`SELECT name FROM ${schema}.schema_migrations`);
    expect(rows).toEqual([
      { name: '0001-initial' },
      { name: '0002-cheaper-writes' },
      { name: '0003-payments' },
      { name: '0004-withdrawals' },
      { name: '0005-deposit-answers' },
      { name: '0006-event-batches' },
      { name: '0007-updates-in-place' },
      { name: '0008-lines-with-postings' },
      { name: '0009-last-facts' },
      { name: '0010-payment-decisions' },
      { name: '0011-key-windows' },
      { name: '0012-open-withdrawals' },
      { name: '0013-house-risks' },
      { name: '0014-resolutions' },
      { name: '0015-webhooks' },
      { name: '0016-consumers' },
      { name: '0017-operator-log' },
      { name: '0018-market-terms' },
      { name: '0019-deposits-by-wallet' },
      { name: '0020-row-types' },
      { name: '0021-creator-fees' },
      { name: '0022-operator-log-filters' },
    ]);
  });

  it('goes on from the first released schema, and keeps its postings and events, those without a number too', async () => {
    await raw.query(`CREATE SCHEMA ${schema}`);
    for (const statement of initialSchema(postgresDialect(schema))) await raw.query(statement);
    await raw.query(`CREATE TABLE ${schema}.schema_migrations (name TEXT NOT NULL PRIMARY KEY)`);
    await raw.query(`INSERT INTO ${schema}.schema_migrations (name) VALUES ('0001-initial')`);
    await raw.query(`INSERT INTO ${schema}.events (seq, market_id, market_seq, kind, created_at, data)
      VALUES (7, 3, 1, 'trade', 5, '{"text":"a„b"}'), (NULL, NULL, NULL, 'creator', 6, '{}')`);
    await raw.query(
      `INSERT INTO ${schema}.postings (id, reference, kind, created_at) VALUES (9, 'deposit:a', 'deposit', 5)`,
    );
    await raw.query(`INSERT INTO ${schema}.entries VALUES (9, 1, 'wallet:0xb', 7), (9, 0, 'external', -7)`);
    const storage = await opened();
    expect(await storage.read((r) => r.postings.find('deposit:a'))).toEqual({
      ...{ kind: 'deposit', reference: 'deposit:a', createdAt: 5 },
      entries: [
        { account: 'external', amount: -7n },
        { account: 'wallet:0xb', amount: 7n },
      ],
    });
    expect(await storage.transaction((transaction) => transaction.events.sequence(10))).toBe(1);
    expect(await storage.read((r) => r.events.after(0, 10))).toEqual([
      { seq: 7, marketId: 3, marketSeq: 1, kind: 'trade', createdAt: 5, data: { text: 'a„b' } },
      { seq: 8, marketId: null, marketSeq: null, kind: 'creator', createdAt: 6, data: {} },
    ]);
  });

  it('keeps to its schema', async () => {
    const inPublic = `SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1`;
    const before = await raw.query(inPublic);
    await opened();
    expect((await raw.query(inPublic)).rows).toEqual(before.rows);
  });
});

describe('a server that is away', () => {
  let deaf: Server;
  const sockets: Socket[] = [];
  beforeEach(async () => {
    deaf = createServer((socket) => sockets.push(socket));
    await new Promise<void>((resolve) => deaf.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await new Promise((resolve) => deaf.close(resolve));
  });
  const urlOf = (): string => `postgres://u:p@127.0.0.1:${(deaf.address() as AddressInfo).port}/database`;

  it('and refuses connections is SERVICE_UNAVAILABLE', async () => {
    const url = urlOf();
    await new Promise((resolve) => deaf.close(resolve));
    await expect(postgresStorage({ url }).open({ logger: silentLogger })).rejects.toEqual(UNAVAILABLE);
    deaf = createServer();
    await new Promise<void>((resolve) => deaf.listen(0, '127.0.0.1', resolve));
  });

  it('and whose connection never ends keeps no caller waiting', async () => {
    const lost = {
      query: () => Promise.reject(new Error('Connection terminated')),
      processID: 1,
      pipeline: true,
    };
    const connectionManager = {
      getConnection: () => Promise.resolve(lost),
      destroyConnection: () => new Promise<never>(() => undefined),
    };
    const load = (name: string): unknown =>
      name === 'sequelize'
        ? {
            Sequelize: class {
              connectionManager = connectionManager;
            },
          }
        : { Client: class {} };
    const pool = postgresPools({ url: urlOf(), preparedStatements: false }, load)(1);
    const limits = { firstMs: 4_000, laterMs: 4_000 };
    const asked = pool.lend(limits, (session) => session.query('SELECT 1 AS one'));
    await expect(asked).rejects.toThrow('The connection to the storage is lost');
  });

  it('and does not answer is given up after the time allowed', async () => {
    const pool = postgresPools({ url: urlOf() })(2);
    const limits = { firstMs: 20, laterMs: 20 };
    const asked = [1, 2, 3].map(() => pool.lend(limits, (session) => session.query('SELECT 1 AS one')));
    expect(await Promise.allSettled(asked)).toEqual(
      asked.map(() => ({ status: 'rejected', reason: UNAVAILABLE })),
    );
  });

  it('in the middle of a transaction is SERVICE_UNAVAILABLE, writes nothing, and is found again', async () => {
    const storage = await opened();
    await credit(storage);
    const cut = storage.transaction(async (transaction) => {
      await transaction.accounts.apply([{ id: 'treasury', balance: 10n }], NOW);
      await raw.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE ${OURS} AND state = 'idle in transaction'`,
      );
      await transaction.accounts.apply([{ id: 'treasury', balance: 10n }], NOW);
    });
    await expect(cut).rejects.toEqual(UNAVAILABLE);
    expect(await treasury(storage)).toBe('1');
    await credit(storage);
    expect(await treasury(storage)).toBe('2');
  });

  it('between two calls is found again', async () => {
    const storage = await opened();
    await credit(storage);
    await raw.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${OURS}`);
    // The pool may lend a connection before the pool learns that the server has closed the connection.
    for (let call = 0; call < 8; call += 1) await treasury(storage).catch(() => undefined);
    expect(await treasury(storage)).toBe('1');
  });

  it('for one statement is given up, and its connection is not used again', async () => {
    const pool = postgresPools({ url: server.url })(2);
    const limits = { firstMs: 4_000, laterMs: 30 };
    const backend = 'SELECT pg_backend_pid() AS pid';
    let first: unknown;
    const slow = pool.lend(limits, async (session) => {
      [first] = await session.query(backend);
      await session.query('SELECT pg_sleep(60)');
    });
    await expect(slow).rejects.toEqual(UNAVAILABLE);
    const [second] = await pool.lend(limits, (session) => session.query(backend));
    expect(second).not.toEqual(first);
    await pool.close();
  });
});

describe('a connection', () => {
  it.each([
    ['open', ['BEGIN']],
    ['open after a failed statement', ['BEGIN', 'SELECT 1 / 0']],
  ])('on which a transaction was left %s is not given to the next one', async (_how, statements) => {
    const pool = postgresPools({ url: server.url })(1);
    const limits = { firstMs: 4_000, laterMs: 4_000 };
    const backend = 'SELECT pg_backend_pid() AS pid';
    const first = await pool.lend(limits, async (session) => {
      const rows = await session.query(backend);
      for (const statement of statements) await session.query(statement).catch(() => undefined);
      return rows;
    });
    const [second, status] = await pool.lend(limits, async (session) => [
      await session.query(backend),
      session.status(),
    ]);
    expect(second).not.toEqual(first);
    expect(status).toBe('I');
    await pool.close();
  });
});

describe('a statement', () => {
  it.each([
    ['SELECT 1 AS one FROM markets m ORDER BY m.id FOR UPDATE', true],
    ['\n  with r AS (SELECT 1) SELECT updated_at FROM r FOR NO KEY UPDATE SKIP LOCKED', true],
    ['WITH r AS (SELECT 1) INSERT INTO deposits SELECT * FROM r', false],
    ['WITH gone AS (DELETE FROM a RETURNING *) SELECT * FROM gone', false],
    ['WITH r AS (SELECT 1) UPDATE markets SET pool = 1', false],
    ['SELECT 1 INTO b', false],
    ['SELECT 1; DROP TABLE a', false],
    ['LOCK TABLE a', false],
    ['DO $$ BEGIN END $$', false],
  ])('%j only reads: %j', (sql, reads) => {
    expect(onlyReads(sql)).toBe(reads);
  });
});

describe('a transaction', () => {
  it('whose work hid a failed statement is rolled back and says so', async () => {
    const storage = await opened();
    const hiding = storage.transaction(async (transaction) => {
      await transaction.accounts.apply([{ id: 'treasury', balance: 1n }], NOW);
      await transaction.accounts.apply([{ id: `wallet:${ALICE}`, balance: -1n }], NOW).catch(() => undefined);
    });
    await expect(hiding).rejects.toBeDefined();
    expect(await treasury(storage)).toBe('0');
  });

  it('whose work hears of a failure from the statements behind it first rejects with the cause', async () => {
    const storage = await opened();
    const posting = { kind: 'deposit' as const, reference: 'deposit:a', createdAt: NOW, entries: [] };
    await storage.transaction((transaction) => transaction.postings.insert([posting]));
    const hearingLate = storage.transaction(async (transaction) => {
      const [failing, behind] = [transaction.postings.insert([posting]), transaction.settings.get('a')];
      await Promise.allSettled([failing, behind]);
      await behind;
    });
    await expect(hearingLate).rejects.toMatchObject({ code: '23505' });
  });

  it('that deadlocks with another is run again', async () => {
    const storage = await opened();
    const [first, second] = [await addMarket(storage), await addMarket(storage)];
    let waiting: (() => void)[] = [];
    // Each transaction holds its first market when it asks for the market that the other transaction holds, so
    // Postgres aborts one of the two.
    const both = (): Promise<void> =>
      new Promise((resolve) => {
        waiting.push(resolve);
        if (waiting.length === 2) waiting.forEach((go) => go());
      });
    let runs = 0;
    const crossing = (from: number, to: number): Promise<void> =>
      storage.transaction(async (transaction) => {
        runs += 1;
        await transaction.markets.lock([from]);
        if (runs <= 2) await both();
        await transaction.markets.lock([to]);
        await transaction.accounts.apply([{ id: 'treasury', balance: 1n }], NOW);
      });
    await Promise.all([crossing(first.id, second.id), crossing(second.id, first.id)]);
    waiting = [];
    // Postgres may abort the repeated transaction too, if the other transaction has not continued yet.
    const { reruns } = storage.stats();
    expect(reruns).toBeGreaterThanOrEqual(1);
    expect(runs).toBe(2 + reruns);
    expect(await treasury(storage)).toBe('2');
  });

  it('that locks a creator who does not exist yet keeps others from creating it', async () => {
    const storage = await opened();
    const seen = await Promise.all(
      Array.from({ length: 4 }, () =>
        storage.transaction(async (transaction) => {
          const found = await transaction.creators.lock(ALICE);
          if (found === null) await transaction.creators.save(sampleCreator({ address: ALICE }));
          return found === null;
        }),
      ),
    );
    expect(seen.filter(Boolean)).toHaveLength(1);
    expect((await storage.read((r) => r.creators.list({ limit: 5, offset: 0 }))).total).toBe(1);
  });
});

describe('the numbering of events', () => {
  it('stays gap-free when two relays both believe that they hold the lease', async () => {
    const storages = [await opened(), await opened()];
    const [first] = storages;
    if (first === undefined) throw new Error('no storage');
    for (let round = 0; round < 5; round += 1) {
      await first.transaction((transaction) => transaction.events.append([1, 2, 3].map(() => sampleEvent())));
    }
    await Promise.all(
      [...storages, ...storages].map((storage) =>
        storage.transaction((transaction) => transaction.events.sequence(4)),
      ),
    );
    const events = await first.read((r) => r.events.after(0, 100));
    expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: 15 }, (_, index) => index + 1));
  });
});
