import type pg from 'pg';
import { createPredictionMarket, type PredictionMarket } from 'express-prediction-market';
import { developmentFacilitator } from 'express-prediction-market/facilitator/development';
import { manualOracle } from 'express-prediction-market/oracle/manual';
import { postgresStorage, type SqlStorage } from 'express-prediction-market/storage/postgres';
import { prepareMarkets } from '../crash/prepare';
import { CRASH_CREATOR, CRASH_WALLETS } from '../crash/wallets';
import { silentLogger } from '../../src/ports/logger';
import { describeWith } from '../support/optional';
import { until } from '../support/until';
import { freshDatabase, openRawPostgres, startPostgres, type PostgresServer } from '../support/postgres';

const SCHEMA = 'prediction_market';
const DEADLOCKS = 8;

describeWith('postgres', 'trades beside other sessions in the database', () => {
  let server: PostgresServer;
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  let hostile: pg.Client;
  let storage: SqlStorage;
  let pm: PredictionMarket;
  let markets: number[];

  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    database = await freshDatabase(server.url);
    hostile = await openRawPostgres(database.url);
  });
  afterEach(async () => {
    await pm.close();
    await hostile.end();
    await database.drop();
  });

  async function start(): Promise<void> {
    storage = postgresStorage({ url: database.url, pool: { max: 4 } });
    pm = createPredictionMarket({
      storage,
      oracle: manualOracle(),
      facilitator: developmentFacilitator(),
      payTo: CRASH_CREATOR,
    });
    await pm.start();
    markets = await prepareMarkets(pm, CRASH_WALLETS);
  }

  const tradeAll = (round: string, through = pm) =>
    Promise.all(
      CRASH_WALLETS.flatMap((wallet, index) =>
        markets.map((market) =>
          through.placeTrade({
            wallet,
            market,
            side: index % 2 === 0 ? 'YES' : 'NO',
            amount: 1,
            idempotencyKey: `${round} ${index} ${market}`,
          }),
        ),
      ),
    );

  async function expectTradedOnce(rounds: number): Promise<void> {
    const totals = await Promise.all(markets.map((market) => pm.listTrades({ market })));
    expect(totals.map(({ total }) => total)).toEqual(markets.map(() => rounds * CRASH_WALLETS.length));
    expect(await pm.audit()).toMatchObject({ ok: true, differences: [] });
  }

  it('that need the same new account do not wait for each other in a circle', async () => {
    await start();
    const other = postgresStorage({ url: database.url, pool: { max: 4 } });
    await other.open({ logger: silentLogger });
    const [wallet = ''] = CRASH_WALLETS;
    for (let round = 0; round < 10; round += 1) {
      // The id of the new account is below the id of the wallet, so the new account is locked first.
      const fresh = `wallet:0x${String(round).padStart(40, '0')}` as const;
      await Promise.all(
        Array.from({ length: 16 }, (_, index) =>
          (index % 2 === 0 ? storage : other).transaction(async (transaction) => {
            await transaction.accounts.lock([fresh, `wallet:${wallet.toLowerCase()}`], 0);
            await transaction.accounts.apply([{ id: fresh, balance: 1n }], 0);
          }),
        ),
      );
      expect((await storage.read((r) => r.accounts.find(fresh)))?.balance).toBe(16n);
    }
    expect([storage.stats().reruns, other.stats().reruns]).toEqual([0, 0]);
    await other.close();
  });

  it('are run again at each deadlock with a session that locks rows in the opposite order', async () => {
    // In a deadlock, Postgres aborts the session whose `deadlock_timeout` ends first: ours after 300 ms, the hostile
    // session after 1,500 ms.
    await hostile.query(`DO $$ BEGIN EXECUTE format(
      'ALTER DATABASE %I SET deadlock_timeout = 300', current_database()); END $$`);
    await hostile.query(`SET deadlock_timeout = '1500ms'`);
    await start();
    const before = storage.stats().reruns;
    const [first, last] = markets;
    const lock = (market: number | undefined) =>
      hostile.query(`SELECT 1 FROM ${SCHEMA}.markets WHERE id = $1 FOR UPDATE`, [market]);
    let rounds = 0;
    for (; storage.stats().reruns < before + DEADLOCKS; rounds += 1) {
      await hostile.query('BEGIN');
      await lock(last);
      const trading = tradeAll(`deadlock ${rounds}`);
      await aSessionWaits(hostile);
      // Our session holds the first market and waits for the last one, so this lock completes the deadlock.
      await lock(first).catch(expectDeadlock);
      await hostile.query('ROLLBACK');
      await trading;
    }
    expect(storage.stats().givenUp).toBe(0);
    await expectTradedOnce(rounds);
  }, 60_000);

  it('are made once when two of three attempts end in a serialization failure', async () => {
    await start();
    await failNow(hostile, '40001', 3);
    const rounds = 10;
    for (let round = 0; round < rounds; round += 1) await tradeAll(`storm ${round}`);
    expect(storage.stats().reruns).toBeGreaterThanOrEqual(2 * rounds);
    expect(storage.stats().givenUp).toBe(0);
    await expectTradedOnce(rounds);
  });

  it('end in SERVICE_UNAVAILABLE after five reruns in a storm of failures, and write nothing', async () => {
    await start();
    await failNow(hostile, '40P01', 1_000_000);
    const { reruns } = storage.stats();
    const [wallet = '', market = NaN] = [CRASH_WALLETS[0], markets[0]];
    const order = { wallet, market, side: 'YES', amount: 1, idempotencyKey: 'hopeless' } as const;
    await expect(pm.placeTrade(order)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(storage.stats()).toEqual({ reruns: reruns + 5, givenUp: 1 });
    await hostile.query(`DROP TRIGGER storm ON ${SCHEMA}.trades`);
    await expectTradedOnce(0);
    expect((await pm.placeTrade(order)).shares).toBeGreaterThan(0);
  });

  it('need no rerun in a database whose default isolation is serializable, because they name their own', async () => {
    await hostile.query(`DO $$ BEGIN EXECUTE format(
      'ALTER DATABASE %I SET default_transaction_isolation = serializable', current_database()); END $$`);
    await start();
    const [firstStorage, first] = [storage, pm];
    await start();
    const rounds = ['one', 'two', 'three', 'four'];
    await Promise.all(rounds.map((round, index) => tradeAll(round, index % 2 === 0 ? first : pm)));
    expect([firstStorage.stats().reruns, storage.stats().reruns]).toEqual([0, 0]);
    await expectTradedOnce(rounds.length);
    await first.close();
  });
});

function expectDeadlock(error: unknown): void {
  expect(error).toMatchObject({ code: '40P01' });
}

async function aSessionWaits(client: pg.Client): Promise<void> {
  // For a session that waits for a transaction, `pg_locks` names no database. So the query looks for sessions that
  // hold locks in this database.
  const waits = `SELECT 1 FROM pg_locks WHERE NOT granted AND pid IN (
    SELECT l.pid FROM pg_locks l JOIN pg_database d ON d.oid = l.database WHERE d.datname = current_database())`;
  await until(async () => (await client.query(waits)).rows.length > 0, {
    what: 'a session that waits for the row',
    withinMs: 4_000,
  });
}

/**
 * One of `of` attempts to write trades succeeds. A sequence counts the attempts, because a rollback does not set a
 * sequence back.
 */
async function failNow(client: pg.Client, sqlstate: string, of: number): Promise<void> {
  await client.query(`
    CREATE SEQUENCE ${SCHEMA}.storm;
    CREATE FUNCTION ${SCHEMA}.storm() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF nextval('${SCHEMA}.storm') % ${of} <> 0 THEN RAISE EXCEPTION 'a storm' USING ERRCODE = '${sqlstate}'; END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER storm AFTER INSERT ON ${SCHEMA}.trades FOR EACH STATEMENT EXECUTE FUNCTION ${SCHEMA}.storm()`);
}
