import type pg from 'pg';
import { createPredictionMarket, type PredictionMarket } from 'express-prediction-market';
import { developmentFacilitator } from 'express-prediction-market/facilitator/development';
import { manualOracle } from 'express-prediction-market/oracle/manual';
import { postgresStorage, type SqlStorage } from 'express-prediction-market/storage/postgres';
import { connectionPools, closePools } from '../../adapters/storage/postgres/pools';
import { BEGIN_AUDIT, BEGIN_MIGRATION } from '../../adapters/storage/postgres/settings';
import { inTransaction } from '../../adapters/storage/postgres/transactions';
import { prepareMarkets } from '../crash/prepare';
import { CRASH_CREATOR, CRASH_WALLETS } from '../crash/wallets';
import { describeWith } from '../support/optional';
import { freshDatabase, openRawPostgres, startPostgres, type PostgresServer } from '../support/postgres';
import { until, within } from '../support/until';
import { createGate } from '../support/gate';

const POOL = 4;
const REJECTED_WITHIN_MS = 5_000;
const UNAVAILABLE = { status: 'rejected', reason: expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' }) };
const OURS = `datname = current_database() AND application_name = 'express-prediction-market'`;

describeWith('postgres', 'while one piece of work takes long,', () => {
  let server: PostgresServer;
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  let other: pg.Client;
  /**
   * This connection begins no transaction, because Postgres repeats its first answer about other sessions within a
   * transaction.
   */
  let watcher: pg.Client;
  let storage: SqlStorage;
  let pm: PredictionMarket;
  let market: number;
  const [wallet = ''] = CRASH_WALLETS;

  beforeAll(async () => {
    server = await startPostgres();
    database = await freshDatabase(server.url);
    [other, watcher] = [await openRawPostgres(database.url), await openRawPostgres(database.url)];
    storage = postgresStorage({ url: database.url, pool: { max: POOL } });
    pm = createPredictionMarket({
      storage,
      oracle: manualOracle(),
      facilitator: developmentFacilitator(),
      payTo: CRASH_CREATOR,
      // With a shorter interval, jobs would wait for the locks of this test.
      jobIntervalMs: 86_400_000,
    });
    await pm.start();
    [market = NaN] = await prepareMarkets(pm, CRASH_WALLETS);
  });
  afterEach(() => other.query('ROLLBACK'));
  afterAll(async () => {
    await pm.close();
    await other.end();
    await watcher.end();
    await database.drop();
    await server.stop();
  });

  const trade = () => pm.placeTrade({ wallet, market, side: 'YES', amount: 1 });

  async function holdTable(name: string): Promise<void> {
    await other.query('BEGIN');
    await other.query(`LOCK TABLE prediction_market.${name} IN ACCESS EXCLUSIVE MODE`);
  }

  const waiting = (count: number, deadlineMs = 4_000): Promise<void> =>
    until(
      async () => {
        const sql = `SELECT 1 FROM pg_stat_activity WHERE ${OURS} AND wait_event_type = 'Lock'`;
        return (await watcher.query(sql)).rows.length === count;
      },
      { what: () => `${count} sessions that wait for a lock`, withinMs: deadlineMs },
    );

  it('other work has all connections but one, and more callers wait for those: a trade is placed, and the storage is ready', async () => {
    const { opened: ended, open: end } = createGate();
    let holding = 0;
    const held = Array.from({ length: 3 * POOL }, () =>
      storage.transaction(async (transaction) => {
        await transaction.settings.get('a');
        holding += 1;
        await ended;
      }),
    );
    await until(() => holding === POOL - 1);
    expect((await trade()).side).toBe('YES');
    await storage.ping();
    end();
    await Promise.all(held);
  });

  it('the audits behind it are refused soon, and balances, trades and readiness do not wait for it', async () => {
    await holdTable('withdrawals');
    const [audit, ...more] = Array.from({ length: POOL }, () => pm.audit());
    const refused = Promise.allSettled(more);
    await waiting(1);
    const balances = await Promise.all(Array.from({ length: 2 * POOL }, () => pm.getBalance({ wallet })));
    expect(balances).toHaveLength(2 * POOL);
    expect((await trade()).side).toBe('YES');
    await storage.ping();
    expect(await refused).toEqual(more.map(() => UNAVAILABLE));
    await other.query('ROLLBACK');
    expect(await audit).toMatchObject({ ok: true });
  });

  it.each([
    ['snapshots', 'withdrawals', POOL - 1, (): Promise<unknown> => pm.listWithdrawals({ wallet })],
    ['reads', 'api_keys', POOL - 1, (): Promise<unknown> => pm.listKeys({ address: wallet })],
  ])(
    '%s are refused in time, and their server sessions do not wait on',
    async (_what, table, sessions, ask) => {
      await holdTable(table);
      const asked = Promise.allSettled(Array.from({ length: 2 * POOL }, ask));
      const refused = within(REJECTED_WITHIN_MS, asked);
      await waiting(sessions);
      expect((await trade()).side).toBe('YES');
      await storage.ping();
      expect(await refused).toEqual(Array.from({ length: 2 * POOL }, () => UNAVAILABLE));
      await waiting(0, REJECTED_WITHIN_MS);
    },
  );

  it.each([
    ['an audit', BEGIN_AUDIT],
    ['a migration', BEGIN_MIGRATION],
  ])('the server ends %s whose client is gone', async (_what, begin) => {
    const pools = connectionPools({ url: database.url, maxConnections: 2 });
    const left = pools.long.lend({ firstMs: 4_000, laterMs: 30 }, (session) =>
      inTransaction(session, begin, (inner) => inner.query('SELECT pg_sleep(600)')),
    );
    await expect(left).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    const asleep = `SELECT 1 FROM pg_stat_activity WHERE ${OURS} AND query LIKE '%pg_sleep(600)%'`;
    await until(async () => (await watcher.query(asleep)).rows.length === 0, {
      what: 'the end of a statement without a client',
      withinMs: 5_000,
    });
    await closePools(pools);
  });
});
