/** A Postgres that is there and does not answer (SIGSTOP, as a lost network looks): nobody waits longer than 5 s. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createPredictionMarket, type PredictionMarket } from 'express-prediction-market';
import { developmentFacilitator } from 'express-prediction-market/facilitator/development';
import { manualOracle } from 'express-prediction-market/oracle/manual';
import { postgresStorage } from 'express-prediction-market/storage/postgres';
import { prepareMarkets } from '../crash/prepare';
import { CRASH_CREATOR, CRASH_WALLETS } from '../crash/wallets';
import { describeWith } from '../support/optional';
import { startRestartablePostgres, type RestartablePostgres } from '../support/postgres';
import { until } from '../support/until';

const REJECTED_WITHIN_MS = 5_000;
const [ALICE = '', BOB = ''] = CRASH_WALLETS;

interface Outcome {
  code: string;
  afterMs: number;
}

/** How a call ended, and how long after `since`. */
async function outcome(call: Promise<unknown>, since = Date.now()): Promise<Outcome> {
  const code = await call.then(
    () => 'answered',
    (error: unknown) => (error as { code?: string }).code ?? String(error),
  );
  return { code, afterMs: Date.now() - since };
}

function expectRefusedInTime(outcomes: readonly Outcome[]): void {
  expect(outcomes.map(({ code }) => code)).toEqual(outcomes.map(() => 'SERVICE_UNAVAILABLE'));
  expect(Math.max(...outcomes.map(({ afterMs }) => afterMs))).toBeLessThanOrEqual(REJECTED_WITHIN_MS);
}

describeWith('postgres', 'a Postgres that is frozen', () => {
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
    expectRefusedInTime(await Promise.all(calls.map((call) => outcome(call))));
  });

  it('rejects a transaction that it froze in the middle of', async () => {
    const frozen = storage.transaction(async (transaction) => {
      await transaction.markets.lock([market]);
      await server.freeze();
      const since = Date.now();
      return { since, rejected: await outcome(transaction.accounts.find('treasury'), since) };
    });
    const since = Date.now();
    expectRefusedInTime([await outcome(frozen, since)]);
  });

  it('rejects whoever trades without a pause, and serves them when it goes on; every trade is there once', async () => {
    const waits: number[] = [];
    const ids = new Set<number>();
    let refusals = 0;
    let stopping = false;
    const trading = [ALICE, BOB].map(async (wallet, index) => {
      for (let count = 0; !stopping; count += 1) {
        for (let placed = false; !placed;) {
          const since = Date.now();
          const answer = await buy(wallet, `on and on ${index} ${count}`).catch((error: unknown) => error);
          waits.push(Date.now() - since);
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
    expect(Math.max(...waits)).toBeLessThanOrEqual(REJECTED_WITHIN_MS);
    const history = await Promise.all([ALICE, BOB].map((wallet) => pm.listWalletHistory({ wallet })));
    expect(history.reduce((sum, { total }) => sum + total, 0)).toBe(ids.size);
    expect((await pm.audit()).ok).toBe(true);
  });
});
