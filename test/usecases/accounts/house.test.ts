import { resolveMarket } from '../../../src/usecases/resolution/resolve-market';
import { createTradeQueue } from '../../../src/usecases/trading/trade-queue';
import { requireRoomForMarket } from '../../../src/usecases/markets/create-market';
import {
  approve,
  CREATOR,
  createWorld,
  DAY,
  order,
  outcomeOf,
  START,
  wallet,
  type World,
} from '../trading/support';

const USD = 1_000_000n;
const INSIDER = wallet(1);

/** This order takes the price almost to its limit of 0.99, so the house can lose nearly the worst loss. */
const MOST = { side: 'YES', size: { shares: 459n * USD } } as const;

async function treasury(world: World): Promise<bigint> {
  return (await world.storage.read((reader) => reader.accounts.find('treasury')))?.balance ?? 0n;
}

/**
 * Opens up to `atMost` markets, of which an insider buys the winning side. Returns how many were opened before the
 * exposure limit refused one.
 */
async function drain(world: World, atMost: number): Promise<number> {
  const queue = createTradeQueue(world.context);
  for (let opened = 0; opened < atMost; opened += 1) {
    const market = await outcomeOf(world.openMarket());
    if ('code' in market) {
      expect(market.code).toBe('EXPOSURE_LIMIT');
      return opened;
    }
    const reference = String(market.value.id);
    await queue.place(order({ market: reference, wallet: INSIDER, ...MOST }));
    await resolveMarket(world.context, { market: reference, outcome: 'YES', note: null });
  }
  return atMost;
}

describe('an insider who knows the outcomes', () => {
  it('costs the house no more than the exposure limit, however many markets are resolved in between', async () => {
    const world = await createWorld({ exposureLimit: 300 });
    await world.fund(INSIDER, 10_000);
    expect(await drain(world, 20)).toBe(4);
    expect(-(await treasury(world))).toBeLessThanOrEqual(300n * USD);
    expect(-(await treasury(world))).toBeGreaterThan(230n * USD);
  });

  it('meets a limit of 10,000 USD where the host has set none', async () => {
    const world = await createWorld();
    await world.fund(INSIDER, 1_000_000);
    const opened = await drain(world, 200);
    expect(opened).toBeLessThan(200);
    expect(-(await treasury(world))).toBeLessThanOrEqual(10_000n * USD);
  });
});

describe('a cap per creator', () => {
  const OTHER = wallet(998);

  it('counts what their markets have cost, and leaves other creators alone', async () => {
    const world = await createWorld({ exposureLimit: 1_000, creatorExposureLimit: 150 });
    await approve(world.storage, OTHER);
    await world.fund(INSIDER, 10_000);
    expect(await drain(world, 20)).toBe(2);
    expect(-(await treasury(world))).toBeLessThanOrEqual(150n * USD);
    expect(await outcomeOf(world.openMarket({ creator: OTHER }))).toMatchObject({
      value: { status: 'open' },
    });
    expect(await outcomeOf(world.openMarket())).toEqual({ code: 'EXPOSURE_LIMIT' });
  });

  it('refuses a market before the payer is charged, and makes room again with what the house wins', async () => {
    const world = await createWorld({ creatorExposureLimit: 70 });
    await world.fund(INSIDER, 10_000);
    const { id } = await world.openMarket();
    const check = (creator: string): Promise<{ value: void } | { code: string }> =>
      outcomeOf(requireRoomForMarket(world.context, { resolveDate: START + DAY, creator }));
    expect(await check(CREATOR)).toEqual({ code: 'EXPOSURE_LIMIT' });
    expect(await check(OTHER)).toEqual({ value: undefined });
    const queue = createTradeQueue(world.context);
    await queue.place(order({ market: String(id), wallet: INSIDER, size: { amount: 10n * USD } }));
    await resolveMarket(world.context, { market: String(id), outcome: 'NO', note: null });
    expect(await check(CREATOR)).toEqual({ value: undefined });
    await world.openMarket();
    expect(await outcomeOf(world.openMarket())).toEqual({ code: 'EXPOSURE_LIMIT' });
  });

  it('counts the remainder of a market that pays in parts once', async () => {
    const world = await createWorld();
    for (const holder of [1, 2]) await world.fund(wallet(holder), 1_000);
    const { id } = await world.openMarket();
    const queue = createTradeQueue(world.context);
    for (const holder of [1, 2])
      await queue.place(order({ market: String(id), wallet: wallet(holder), size: { shares: 10_000_001n } }));
    await resolveMarket(world.context, { market: String(id), outcome: 'VOID', note: null });
    const risks = await world.storage.read((reader) => reader.markets.risksOf(CREATOR));
    const lost = -(await treasury(world));
    expect(lost).toBeLessThan(0n);
    expect(risks).toEqual([{ creator: CREATOR, liquidityParameter: 100n * USD, unresolved: 0, lost }]);
  });
});
