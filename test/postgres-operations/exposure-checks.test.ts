import type pg from 'pg';
import { createPredictionMarket, type PredictionMarket } from 'express-prediction-market';
import { developmentFacilitator } from 'express-prediction-market/facilitator/development';
import { manualOracle } from 'express-prediction-market/oracle/manual';
import { postgresStorage } from 'express-prediction-market/storage/postgres';
import { resolveOptions, type Resolved } from '../../src/config';
import { requireRoomForMarket } from '../../src/usecases/markets/create-market';
import { prepareMarkets } from '../crash/prepare';
import { CRASH_CREATOR, CRASH_WALLETS } from '../crash/wallets';
import { describeWith } from '../support/optional';
import { freshDatabase, openRawPostgres, startPostgres, type PostgresServer } from '../support/postgres';

const POOL = 4;
const DAY_MS = 86_400_000;

describeWith('postgres', 'the exposure check before a payment', () => {
  let server: PostgresServer;
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  let holder: pg.Client;
  let pm: PredictionMarket;
  let context: Resolved & { clockIsSteady: () => boolean };
  let market: number;

  beforeAll(async () => {
    server = await startPostgres();
    database = await freshDatabase(server.url);
    holder = await openRawPostgres(database.url);
    const options = {
      storage: postgresStorage({ url: database.url, pool: { max: POOL } }),
      oracle: manualOracle(),
      facilitator: developmentFacilitator(),
      payTo: CRASH_CREATOR,
      exposureLimit: 1_000,
    };
    pm = createPredictionMarket(options);
    await pm.start();
    [market = NaN] = await prepareMarkets(pm, CRASH_WALLETS);
    context = { ...resolveOptions(options), clockIsSteady: () => true };
  });
  afterAll(async () => {
    await holder.query('ROLLBACK');
    await pm.close();
    await holder.end();
    await database.drop();
    await server.stop();
  });

  it('takes no lock and leaves the connections to trades', async () => {
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE prediction_market.market_totals IN SHARE ROW EXCLUSIVE MODE');
    const checks = Array.from({ length: 5 * POOL }, () =>
      requireRoomForMarket(context, { resolveDate: Date.now() + DAY_MS, creator: CRASH_CREATOR }),
    );
    const [wallet = ''] = CRASH_WALLETS;
    const [trade, ...checked] = await Promise.allSettled([
      pm.placeTrade({ wallet, market, side: 'YES', amount: 1 }),
      ...checks,
    ]);
    expect(trade).toMatchObject({ status: 'fulfilled', value: { side: 'YES' } });
    expect(new Set(checked.map(({ status }) => status))).toEqual(new Set(['fulfilled']));
  });
});
