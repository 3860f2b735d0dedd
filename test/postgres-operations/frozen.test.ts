import { setImmediate as nextTurn } from 'node:timers/promises';
import { createPredictionMarket, type PredictionMarket } from 'express-prediction-market';
import { developmentFacilitator } from 'express-prediction-market/facilitator/development';
import { manualOracle } from 'express-prediction-market/oracle/manual';
import { postgresStorage } from 'express-prediction-market/storage/postgres';
import { prepareMarkets } from '../crash/prepare';
import { CRASH_CREATOR, CRASH_WALLETS } from '../crash/wallets';
import { describeWith } from '../support/optional';
import { startRestartablePostgres, type RestartablePostgres } from '../support/postgres';
import { until, within } from '../support/until';

const REJECTED_WITHIN_MS = 5_000;
const [ALICE = '', BOB = ''] = CRASH_WALLETS;

async function expectRefusedInTime(call: Promise<unknown>): Promise<void> {
  await expect(within(REJECTED_WITHIN_MS, call)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
}

describeWith('postgres', 'a market on a Postgres that is frozen', () => {
  let server: RestartablePostgres;
  let pm: PredictionMarket;
  let storage: ReturnType<typeof postgresStorage>;
  let market: number;

  beforeAll(async () => {
    server = await startRestartablePostgres();
    storage = postgresStorage({ url: server.url, pool: { max: 4 } });
    pm = createPredictionMarket({
      storage,
      oracle: manualOracle(),
      facilitator: developmentFacilitator(),
      payTo: CRASH_CREATOR,
    });
    await pm.start();
    [market = NaN] = await prepareMarkets(pm, [ALICE, BOB]);
  });
  afterEach(() => server.thaw());
  afterAll(async () => {
    await pm.close();
    await server.stop();
  });

  const buy = (wallet: string, idempotencyKey: string) =>
    pm.placeTrade({ wallet, market, side: 'YES', amount: 1, idempotencyKey });

  it('rejects reads, trades and snapshots that come meanwhile, more of them than there are connections', async () => {
    await server.freeze();
    const calls = [
      ...Array.from({ length: 6 }, () => pm.getMarket(market)),
      ...Array.from({ length: 6 }, (_, count) => buy(ALICE, `frozen ${count}`)),
      pm.listMarkets(),
      pm.getBalance({ wallet: ALICE }),
      pm.audit(),
      pm.deposit({ address: BOB, amount: 1, reference: 'frozen' }),
    ];
    await Promise.all(calls.map(expectRefusedInTime));
  });

  it('rejects a transaction in the middle of which Postgres froze', async () => {
    const frozen = storage.transaction(async (transaction) => {
      await transaction.markets.lock([market]);
      await server.freeze();
      await expectRefusedInTime(transaction.accounts.find('treasury'));
    });
    await expectRefusedInTime(frozen);
  });

  it('rejects trades that come without a pause, serves them when Postgres goes on, and makes each of them once', async () => {
    const ids = new Set<number>();
    let refusals = 0;
    let stopping = false;
    const trading = [ALICE, BOB].map(async (wallet, index) => {
      for (let count = 0; !stopping; count += 1) {
        for (let placed = false; !placed;) {
          const bought = buy(wallet, `on and on ${index} ${count}`).catch((error: unknown) => error);
          const answer = await within(REJECTED_WITHIN_MS, bought);
          placed = typeof answer === 'object' && answer !== null && 'id' in answer;
          if (placed) ids.add((answer as { id: number }).id);
          else refusals += 1;
          await nextTurn();
        }
      }
    });
    await until(() => ids.size >= 10, { what: 'ten trades' });
    await server.freeze();
    await until(() => refusals >= 2, { what: () => `two refusals, got ${refusals}` });
    await server.thaw();
    const before = ids.size;
    await until(() => ids.size >= before + 10, { what: 'ten more trades' });
    stopping = true;
    await Promise.all(trading);
    const history = await Promise.all([ALICE, BOB].map((wallet) => pm.listWalletHistory({ wallet })));
    expect(history.reduce((sum, { total }) => sum + total, 0)).toBe(ids.size);
    expect((await pm.audit()).ok).toBe(true);
  });
});
