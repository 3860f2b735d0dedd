import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { postgresStorage } from '../../adapters/storage/postgres';
import type { PreparedStatements } from '../../adapters/shared/sql/postgres-statements';
import { postgresPools } from '../../adapters/shared/sql/postgres-pool';
import { integer } from '../../adapters/shared/sql/row-columns';
import type { Session } from '../../adapters/shared/sql/session';
import { silentLogger } from '../../src/ports/logger';
import type { Storage } from '../../src/ports/storage';
import {
  addMarket,
  ALICE,
  depositPosting,
  NOW,
  sampleCandle,
  samplePosition,
} from '../../testing/storage-conformance/samples';
import { describeWith } from '../support/optional';
import { startPgBouncer, type PgBouncer } from '../support/pgbouncer';
import { freshSchema, openRawPostgres, startPostgres, type PostgresServer } from '../support/postgres';
import { until } from '../support/until';

const LIMITS = { firstMs: 4_000, laterMs: 4_000 };
const ECHO = 'SELECT CAST($1 AS text) AS value';

/** The migrations scan tables that are still empty, so a few scans are allowed. */
const CHANGES_AT_MOST = 15;
const ROUNDS = 20;

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

async function preparedAfterOne(url: string, preparedStatements: PreparedStatements): Promise<number> {
  const pool = postgresPools({ url, preparedStatements })(2);
  try {
    return await pool.lend(LIMITS, async (session) => {
      await session.query('BEGIN');
      await session.query(ECHO, ['one']);
      const [row] = await session.query(
        `SELECT count(*) AS known FROM pg_prepared_statements WHERE name LIKE 'pm@_%' ESCAPE '@'`,
      );
      await session.query('ROLLBACK');
      if (row === undefined) throw new Error('no count');
      return integer(row, 'known');
    });
  } finally {
    await pool.close();
  }
}

async function write(storage: Storage, marketId: number, round: number): Promise<void> {
  await storage.transaction(async (transaction) => {
    const markets = await transaction.markets.lock([marketId]);
    await transaction.accounts.lock([`wallet:${ALICE}`], NOW);
    await transaction.positions.find([{ marketId, wallet: ALICE }]);
    await transaction.markets.update(markets);
    await transaction.accounts.apply([{ id: `wallet:${ALICE}`, balance: 1n }], NOW);
    await transaction.postings.insert([depositPosting(`deposit:${round}`, ALICE, 1n)]);
    await transaction.positions.save([samplePosition(marketId, { wallet: ALICE })]);
    await transaction.candles.merge([sampleCandle(marketId)]);
  });
}

describe('a server that answers itself', () => {
  it.each([
    ['auto', 1],
    [true, 1],
    [false, 0],
  ] as const)('with preparedStatements %j knows %i by name', async (preparedStatements, known) => {
    expect(await preparedAfterOne(server.url, preparedStatements)).toBe(known);
  });

  it('answers statements that do not wait for each other in their order', async () => {
    const pool = postgresPools({ url: server.url })(2);
    const words = ['a', 'b', 'c', 'd'];
    const rows = await pool.lend(LIMITS, (session) =>
      Promise.all(words.map((word) => session.query(ECHO, [word]))),
    );
    expect(rows.flat()).toEqual(words.map((value) => ({ value })));
    await pool.close();
  });

  it('keeps the connection when it refuses a statement, with any statements sent behind it', async () => {
    const pool = postgresPools({ url: server.url })(2);
    const backend = (session: Session) => session.query('SELECT pg_backend_pid() AS pid');
    const before = await pool.lend(LIMITS, async (session) => {
      const pid = await backend(session);
      await session.query('BEGIN');
      const sent = await Promise.allSettled([
        session.query('SELECT 1 / CAST($1 AS integer) AS one', [0]),
        session.query(ECHO, ['behind']),
      ]);
      expect(sent).toMatchObject([{ reason: { code: '22012' } }, { reason: { code: '25P02' } }]);
      await session.query('ROLLBACK');
      return pid;
    });
    expect(await pool.lend(LIMITS, backend)).toEqual(before);
    await pool.close();
  });

  it('is asked without names from then on once it has forgotten a statement', async () => {
    const pool = postgresPools({ url: server.url })(2);
    const echo = (session: Session) => session.query(ECHO, ['once']);
    const forgotten = pool.lend(LIMITS, async (session) => {
      await echo(session);
      await session.query('DEALLOCATE ALL');
      return echo(session);
    });
    await expect(forgotten).rejects.toMatchObject({ code: '26000' });
    const again = pool.lend(LIMITS, async (session) => {
      await echo(session);
      await session.query('DEALLOCATE ALL');
      return echo(session);
    });
    expect(await again).toEqual([{ value: 'once' }]);
    await pool.close();
  });
});

describe('what a transaction reads', () => {
  it('is found by keys from the first row on: plans are kept while the tables grow', async () => {
    const schema = freshSchema();
    const storage = postgresStorage({ url: server.url, schema });
    await storage.open({ logger: silentLogger });
    const market = await addMarket(storage);
    for (let round = 0; round < ROUNDS; round += 1) await write(storage, market.id, round);
    await storage.close();
    const raw = await openRawPostgres(server.url);
    const scans = `SELECT relname, seq_scan, idx_scan FROM pg_stat_user_tables WHERE schemaname = '${schema}'
      AND relname IN ('markets', 'accounts', 'positions', 'candles') ORDER BY relname`;
    // Postgres reports the counts of a closed session with a delay.
    let rows: Record<string, string>[] = [];
    await until(async () => {
      rows = (await raw.query<Record<string, string>>(scans)).rows;
      return rows.length === 4 && rows.every((row) => Number(row['idx_scan']) >= ROUNDS);
    });
    expect(rows.filter((row) => Number(row['seq_scan']) > CHANGES_AT_MOST)).toEqual([]);
    await raw.query(`DROP SCHEMA ${schema} CASCADE`);
    await raw.end();
  });
});

describeWith('pgbouncer', 'behind PgBouncer in transaction mode,', (program) => {
  let bouncer: PgBouncer;
  beforeAll(async () => {
    bouncer = await startPgBouncer(program, server.url);
  });
  afterAll(() => bouncer.stop());

  it('no statement is prepared unless the option says so', async () => {
    expect(await preparedAfterOne(bouncer.url, 'auto')).toBe(0);
  });

  it.each(['auto', true] as const)(
    'every call is served, with preparedStatements %j',
    async (preparedStatements) => {
      const schema = freshSchema();
      const storage = postgresStorage({ url: bouncer.url, schema, preparedStatements });
      await storage.open({ logger: silentLogger });
      const calls = Array.from({ length: 200 }, async (_, call) => {
        await storage.transaction((transaction) =>
          transaction.accounts.apply([{ id: 'treasury', balance: 1n }], NOW),
        );
        await storage.read((r) => r.settings.get(`setting ${call}`));
        await storage.snapshot((r) => r.accounts.find('treasury'));
      });
      expect((await Promise.allSettled(calls)).filter(({ status }) => status === 'rejected')).toEqual([]);
      expect((await storage.read((r) => r.accounts.find('treasury')))?.balance).toBe(200n);
      await storage.close();
      const raw = await openRawPostgres(server.url);
      await raw.query(`DROP SCHEMA ${schema} CASCADE`);
      await raw.end();
    },
  );
});
