import { readdir } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { postgresStorage } from '../../adapters/storage/postgres';
import type { Dialect } from '../../adapters/shared/sql/dialect';
import { initialSchema } from '../../adapters/shared/sql/migrations/0001-initial';
import { cheaperWrites } from '../../adapters/shared/sql/migrations/0002-cheaper-writes';
import { paymentsSchema } from '../../adapters/shared/sql/migrations/0003-payments';
import { withdrawalsSchema } from '../../adapters/shared/sql/migrations/0004-withdrawals';
import { postgresDialect } from '../../adapters/shared/sql/postgres-dialect';
import { silentLogger, type Logger } from '../../src/ports/logger';
import type { PositionStatus, Storage } from '../../src/ports/storage';
import { ALICE, BOB } from '../../testing/storage-conformance/samples';
import {
  freshDatabase,
  freshSchema,
  openRawPostgres,
  startPostgres,
  type PostgresServer,
} from '../support/postgres';
import { until } from '../support/until';

const UNAVAILABLE = expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' });
/** The earlier version stores each event and each entry in a row of its own. */
const BEFORE: readonly [string, (dialect: Dialect) => string[]][] = [
  ['0001-initial', initialSchema],
  ['0002-cheaper-writes', cheaperWrites],
  ['0003-payments', paymentsSchema],
  ['0004-withdrawals', withdrawalsSchema],
];

let server: PostgresServer;
let raw: pg.Client;
let earlier: pg.Client;
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
beforeEach(async () => {
  schema = freshSchema();
  earlier = await openRawPostgres(server.url);
});
afterEach(async () => {
  await earlier.end();
  for (const storage of toClose.splice(0)) await storage.close();
  await raw.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
});

async function earlierSchema(): Promise<void> {
  await raw.query(`CREATE SCHEMA ${schema}`);
  await raw.query(`CREATE TABLE ${schema}.schema_migrations (name TEXT NOT NULL PRIMARY KEY)`);
  for (const [name, statements] of BEFORE) {
    for (const statement of statements(postgresDialect(schema))) await raw.query(statement);
    await raw.query(`INSERT INTO ${schema}.schema_migrations (name) VALUES ($1)`, [name]);
  }
}

async function opened(url = server.url, logger: Logger = silentLogger): Promise<Storage> {
  const storage = postgresStorage({ url, schema, pool: { max: 2 } });
  toClose.push(storage);
  await storage.open({ logger });
  return storage;
}

async function aSessionWaits(): Promise<void> {
  const waiting = `SELECT 1 FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
    JOIN pg_database d ON d.oid = l.database AND d.datname = current_database()
    JOIN pg_namespace n ON n.oid = c.relnamespace WHERE NOT l.granted AND n.nspname = $1`;
  await until(async () => (await raw.query(waiting, [schema])).rows.length > 0, {
    what: 'a session that waits for a table',
    withinMs: 20_000,
  });
}

const anEvent = (kind: string): string =>
  `INSERT INTO ${schema}.events (market_id, market_seq, kind, created_at, data) VALUES (NULL, NULL, '${kind}', 6, '{}')`;

describe('a migration', () => {
  it('that the caller does not want is refused, and the schema stays as it is', async () => {
    const refused = () =>
      postgresStorage({ url: server.url, schema, migrate: false }).open({ logger: silentLogger });
    await expect(refused()).rejects.toThrow('it was never migrated');
    expect((await raw.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema])).rows).toEqual([]);
    await earlierSchema();
    await expect(refused()).rejects.toThrow(
      /^the database lacks migrations of this version: 0005-deposit-answers, /,
    );
    const steps: string[] = [];
    const storage = postgresStorage({
      url: server.url,
      schema,
      onMigration: ({ name, finished, total }) => void steps.push(`${finished}/${total} ${name}`),
    });
    toClose.push(storage);
    await storage.open({ logger: silentLogger });
    const last = steps.at(-1) ?? '';
    expect(steps[0]).toMatch(/^0\/\d+ 0005-deposit-answers$/);
    expect(last).toMatch(/^(\d+)\/\1 \d{4}-/);
    const unmigrating = postgresStorage({ url: server.url, schema, migrate: false });
    toClose.push(unmigrating);
    await unmigrating.open({ logger: silentLogger });
  });

  it('keeps the events that an instance of the earlier version commits meanwhile', async () => {
    await earlierSchema();
    await earlier.query('BEGIN');
    await earlier.query(anEvent('in flight'));
    const opening = opened();
    await aSessionWaits();
    await earlier.query(anEvent('later still'));
    await earlier.query('COMMIT');
    const storage = await opening;
    expect(await storage.transaction((transaction) => transaction.events.sequence(10))).toBe(2);
    const kinds = (await storage.read((r) => r.events.after(0, 10))).map(({ kind }) => kind);
    expect(kinds).toEqual(['in flight', 'later still']);
  });

  it('that waits for a transaction of the earlier version gives up its place in the queue, says so, and comes again', async () => {
    await earlierSchema();
    await earlier.query('BEGIN');
    await earlier.query(anEvent('in flight'));
    const said: string[] = [];
    const opening = opened(server.url, {
      ...silentLogger,
      warn: (_fields: unknown, message?: string) => void said.push(String(message)),
    });
    await until(() => said.length > 0, {
      what: 'a line that says what the migration waits for',
      withinMs: 8_000,
    });
    expect(said[0]).toMatch(/the migration waits for transactions at work/);
    // If the migration still waited for its lock, this statement would wait behind the migration and reach the time
    // limit.
    await raw.query(`SET lock_timeout = 1000`);
    await raw.query(`SELECT count(*) FROM ${schema}.markets`);
    await raw.query(`SET lock_timeout = 0`);
    await earlier.query('COMMIT');
    const storage = await opening;
    expect(await storage.transaction((transaction) => transaction.events.sequence(10))).toBe(1);
  });

  it('finds open, closed and unpaid positions again, and an answer kept under an idempotency key', async () => {
    await earlierSchema();
    await raw.query(`INSERT INTO ${schema}.markets VALUES
      (3, 'a', 'A?', NULL, 'c', 'other', '${BOB}', 'open', 1, 9, 100000000, 5, 0, 3, 3, 2, 2, NULL, NULL, NULL, NULL, 9, 0, 0)`);
    await raw.query(`INSERT INTO ${schema}.positions VALUES
      (3, '${ALICE}', 'YES', 5, 3, 0, 1, 0, 6), (3, '${ALICE}', 'NO', 0, 0, -1, 1, 0, 6)`);
    await raw.query(`INSERT INTO ${schema}.accounts VALUES ('wallet:${ALICE}', 7, 0, 2, 1, 2, 6)`);
    await raw.query(`INSERT INTO ${schema}.idempotency VALUES ('${ALICE}', 'key', 'hash', '{"id":1}', 6)`);
    const storage = await opened();
    const sides = async (status: PositionStatus): Promise<[string[], number]> => {
      const query = { wallet: ALICE, status, limit: 9, offset: 0 };
      const { positions, total } = await storage.read((r) => r.positions.list(query));
      return [positions.map(({ side }) => side), total];
    };
    expect([await sides('open'), await sides('closed'), await sides('all')]).toEqual([
      [['YES'], 1],
      [['NO'], 1],
      [['YES', 'NO'], 2],
    ]);
    const found = await storage.transaction(async (transaction) => {
      const [open] = await transaction.positions.listUnpaid(3, 9);
      if (open !== undefined) await transaction.positions.save([{ ...open, shares: 0n }]);
      return [open?.side, await transaction.idempotency.find([{ wallet: ALICE, key: 'key' }])];
    });
    expect(found).toMatchObject(['YES', [{ requestHash: 'hash', answer: '{"id":1}' }]]);
    expect((await sides('closed'))[0]).toEqual(['YES', 'NO']);
  });

  it('gives each market of the earlier version the time of its newest fact', async () => {
    await earlierSchema();
    const market = (id: number, resolvedAt: string): string =>
      `(${id}, 'm${id}', 'A?', NULL, 'c', 'other', '${BOB}', 'open', 100, 900, 100000000, 5, 0, 3, 3, 2, 2,
        NULL, ${resolvedAt}, NULL, NULL, 900, 0, 0)`;
    const markets = [market(1, 'NULL'), market(2, 'NULL'), market(3, '700'), market(4, 'NULL')];
    await raw.query(`INSERT INTO ${schema}.markets VALUES ${markets.join(', ')}`);
    const trade = (marketId: number, side: string, time: number): string =>
      `('trade', ${marketId}, '${ALICE}', '${side}', 'buy', 1, 1, 0, 1, 0, 500000, ${time})`;
    await raw.query(`INSERT INTO ${schema}.trades (type, market_id, wallet, side, action, shares, notional, fee, total_cost,
      realized_pnl, yes_price_after, created_at) VALUES ${trade(2, 'YES', 300)}, ${trade(2, 'NO', 200)}, ${trade(3, 'NO', 600)}`);
    await raw.query(`INSERT INTO ${schema}.candles VALUES (4, 60000, 60000, 1, 1, 1, 1, 1, 1)`);
    const storage = await opened();
    const found = await storage.read((r) => r.markets.findByIds([1, 2, 3, 4]));
    const times = found.sort((a, b) => a.id - b.id).map(({ lastFactAt }) => lastFactAt);
    expect(times).toEqual([100, 300, 700, 60_000]);
  });

  it('that deadlocks with a transaction of the earlier version is run again', async () => {
    await earlierSchema();
    await earlier.query('BEGIN');
    await earlier.query(anEvent('in flight'));
    const opening = opened();
    await aSessionWaits();
    // Takes the migration's locks in another order, so Postgres aborts one of the two sessions.
    const tables = `SELECT tablename AS name FROM pg_tables WHERE schemaname = $1 ORDER BY 1`;
    const { rows } = await raw.query<{ name: string }>(tables, [schema]);
    const crossing = await earlier
      .query(rows.map(({ name }) => `SELECT 1 FROM ${schema}.${name}`).join('; '))
      .then(
        () => 'went through',
        () => 'was ended',
      );
    await earlier.query('COMMIT');
    const storage = await opening;
    await storage.transaction((transaction) => transaction.events.sequence(10));
    expect(await storage.read((r) => r.events.head())).toBe(crossing === 'went through' ? 1 : 0);
  });

  it('runs once where the database starts transactions in another isolation', async () => {
    const strict = new URL(server.url);
    strict.searchParams.set('options', '-c default_transaction_isolation=repeatable\\ read');
    await Promise.all(Array.from({ length: 4 }, () => opened(strict.href)));
    const { rows } = await raw.query<{ name: string }>(
      `SELECT name FROM ${schema}.schema_migrations ORDER BY name`,
    );
    const migrations = await readdir('adapters/shared/sql/migrations');
    expect(rows.map(({ name }) => `${name}.ts`)).toEqual(migrations.sort());
  });
});

describe('an instance whose role may create nothing', () => {
  it('starts, trades and restarts where another role has migrated', async () => {
    const database = await freshDatabase(server.url);
    const owner = await openRawPostgres(database.url);
    await (await opened(database.url)).close();
    const role = freshSchema();
    await owner.query(`CREATE ROLE ${role} LOGIN PASSWORD 'secret'`);
    await owner.query(`GRANT USAGE ON SCHEMA ${schema} TO ${role}`);
    await owner.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${role}`);
    await owner.query(`GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${schema} TO ${role}`);
    const url = new URL(database.url);
    [url.username, url.password] = [role, 'secret'];
    for (const balance of [1n, 2n]) {
      const storage = await opened(url.href);
      await storage.transaction((transaction) =>
        transaction.accounts.apply([{ id: 'treasury', balance: 1n }], 5),
      );
      expect((await storage.read((r) => r.accounts.find('treasury')))?.balance).toBe(balance);
      await storage.close();
    }
    await owner.query(`DROP OWNED BY ${role}`);
    await owner.query(`DROP ROLE ${role}`);
    await owner.end();
    await database.drop();
  });
});

describe('an instance that finds a newer schema at its start', () => {
  it('says so, and keeps no connection, which would keep its process alive', async () => {
    const database = await freshDatabase(server.url);
    const inside = await openRawPostgres(database.url);
    await inside.query(`CREATE SCHEMA ${schema}`);
    await inside.query(`CREATE TABLE ${schema}.schema_migrations (name TEXT NOT NULL PRIMARY KEY)`);
    await inside.query(`INSERT INTO ${schema}.schema_migrations (name) VALUES ('9999-later')`);
    await expect(opened(database.url)).rejects.toThrow(/9999-later/);
    const held = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`;
    await until(async () => (await inside.query(held)).rows.length === 0, {
      what: 'no connection of ours',
      withinMs: 5_000,
    });
    await inside.end();
    await database.drop();
  });
});

describe('an instance that runs on when a newer version has migrated', () => {
  it('is not ready', async () => {
    const storage = await opened();
    await storage.ping();
    await raw.query(`INSERT INTO ${schema}.schema_migrations (name) VALUES ('9999-later')`);
    await expect(storage.ping()).rejects.toEqual(UNAVAILABLE);
  });

  it.each([
    ['a table', 'DROP TABLE %.event_batches'],
    ['a column', 'ALTER TABLE %.event_batches RENAME COLUMN data TO packed'],
    [
      'a table that is a view now',
      'ALTER TABLE %.event_batches RENAME TO b; CREATE VIEW %.event_batches AS SELECT DISTINCT * FROM %.b',
    ],
  ])(
    'answers SERVICE_UNAVAILABLE to what needs %s that is gone, and writes nothing',
    async (_what, change) => {
      const storage = await opened();
      await raw.query(change.replaceAll('%', schema));
      const writing = storage.transaction(async (transaction) => {
        await transaction.accounts.apply([{ id: 'treasury', balance: 1n }], 5);
        await transaction.events.append([
          { marketId: null, marketSeq: null, kind: 'a', createdAt: 5, data: {} },
        ]);
      });
      await expect(writing).rejects.toEqual(UNAVAILABLE);
      expect(await storage.read((r) => r.accounts.find('treasury'))).toBeNull();
    },
  );

  it('goes on over a prepared statement whose answer has another type now', async () => {
    const storage = await opened();
    const add = () => storage.transaction((transaction) => transaction.settings.putIfAbsent('a', 'b'));
    await add();
    await storage.read((r) => r.settings.get('a'));
    await raw.query(`ALTER TABLE ${schema}.settings ALTER COLUMN value TYPE VARCHAR(100)`);
    await Promise.allSettled(Array.from({ length: 4 }, () => storage.read((r) => r.settings.get('a'))));
    expect(await storage.read((r) => r.settings.get('a'))).toBe('b');
  });
});
