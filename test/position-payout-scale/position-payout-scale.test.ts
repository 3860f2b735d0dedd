/** The test checks the calls of the storage and their order, and measures no time. */
import { manualOracle } from '../../adapters/oracle/manual';
import { createPredictionMarket, type PredictionMarket } from '../../src/create-prediction-market';
import { walletAccount } from '../../src/domain/ledger';
import type { Storage } from '../../src/ports/storage';
import { fakeFacilitator } from '../../testing/fake-facilitator';
import { testClock } from '../../testing/test-clock';
import { testWallet } from '../../testing/test-wallets';
import { onEachStorage } from '../support/storages';
import { observe } from './observed-storage';
import { COST, holder, plantPositions, SHARES } from './seed';

const POSITIONS = { memory: 10_000, sqlite: 10_000, postgres: 100_000 };
const CHUNK = 1_000;
const DAY_MS = 86_400_000;
/** The ids of the first two markets in a new storage. */
const CROWDED = 1;
const OTHER = 2;

const clock = testClock();
const trader = testWallet('trader').address;

function marketOn(storage: Storage): PredictionMarket {
  return createPredictionMarket({
    storage,
    oracle: manualOracle(),
    facilitator: fakeFacilitator(),
    payTo: testWallet('payee').address,
    jobIntervalMs: DAY_MS,
    clock,
  });
}

async function plant(pm: PredictionMarket, storage: Storage, positions: number): Promise<void> {
  await pm.start();
  const creator = testWallet('creator').address;
  await pm.approveCreator({ address: creator });
  for (const id of [CROWDED, OTHER]) {
    const market = await pm.createMarket({
      creator,
      question: `Is market ${id} crowded?`,
      resolutionCriteria: 'Count.',
      resolveDate: new Date(clock.now() + DAY_MS).toISOString(),
      category: 'other',
    });
    expect(market.id).toBe(id);
  }
  await pm.deposit({ address: trader, amount: 10_000, reference: 'for trading' });
  await plantPositions(storage, CROWDED, positions, clock.now());
}

async function balanceOf(storage: Storage, wallet: string): Promise<bigint> {
  const account = await storage.read((reader) => reader.accounts.find(walletAccount(wallet)));
  return account?.balance ?? 0n;
}

onEachStorage('The positions of a crowded market', ({ name, create }) => {
  const positions = POSITIONS[name];
  let cleanUp = async (): Promise<void> => undefined;
  afterEach(() => cleanUp());

  it(`are paid a thousand at a time, and trades elsewhere wait for one chunk at most (${positions} positions)`, async () => {
    const home = await create();
    const { storage, observed } = observe(home.handle(), CROWDED);
    const pm = marketOn(storage);
    cleanUp = async () => {
      await pm.close();
      await home.destroy();
    };
    await plant(pm, storage, positions);
    observed.commits.length = 0;
    observed.mostRows = {};
    observed.paid = 0;
    observed.mostPaidAtOnce = 0;

    const trades: Promise<unknown>[] = [];
    observed.onChunkBegun = async () => {
      const side = trades.length % 2 === 0 ? 'YES' : 'NO';
      const trade = pm.placeTrade({ wallet: trader, market: OTHER, side, amount: 1 });
      trades.push(trade);
      // Postgres locks rows, so the trade does not wait for the chunk at all.
      if (name === 'postgres') await trade;
    };
    await pm.resolveMarket({ market: CROWDED, outcome: 'YES' });
    await observed.everythingPaid;
    await Promise.all(trades);

    expect(observed.paid).toBe(positions);
    expect(observed.mostPaidAtOnce).toBe(CHUNK);
    // `listUnpaid` reads one position more than a chunk, to tell whether the chunk is the last.
    expect(observed.mostRows).toMatchObject({
      'positions.listUnpaid': CHUNK + 1,
      'positions.save': CHUNK,
      'trades.insert': CHUNK,
    });
    expect(Math.max(...Object.values(observed.mostRows))).toBe(CHUNK + 1);
    expectTradesBetween(observed.commits, positions / CHUNK);

    const balances = [0, 1, positions / 2 - 2, positions / 2 - 1, positions - 2, positions - 1].map((index) =>
      balanceOf(storage, holder(index)),
    );
    expect(await Promise.all(balances)).toEqual([SHARES, 0n, SHARES, 0n, SHARES, 0n]);
    const { ok, treasury, external, differences } = await pm.audit();
    expect({ ok, treasury, differences }).toEqual({ ok: true, treasury: 0, differences: [] });
    expect(external).toBe(-10_000 - Number(COST * BigInt(positions)) / 1e6);
  }, 240_000);
});

/** When a chunk commits, at least as many trades have committed as earlier chunks. */
function expectTradesBetween(commits: readonly ('chunk' | 'trade')[], wanted: number): void {
  let chunks = 0;
  let trades = 0;
  for (const kind of commits) {
    if (kind === 'trade') trades += 1;
    else {
      expect(trades).toBeGreaterThanOrEqual(chunks);
      chunks += 1;
    }
  }
  expect(chunks).toBe(wanted);
}
