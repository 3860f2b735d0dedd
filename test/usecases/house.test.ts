/** The house's money: what creators can cost it, and what operators put in. */
import { resolveMarket } from '../../src/usecases/resolve-market';
import { createTradeLane } from '../../src/usecases/trade-lane';
import { createWorld, order, outcomeOf, wallet, type World } from './trading-support';

const USD = 1_000_000n;
const INSIDER = wallet(1);

/** The price stops at 0.99, so the last order that fits takes almost all that a market can lose. */
const MOST = { side: 'YES', size: { shares: 459n * USD } } as const;

async function treasury(world: World): Promise<bigint> {
  return (await world.storage.read((reader) => reader.accounts.find('treasury')))?.balance ?? 0n;
}

/** Opens markets whose outcome the insider knows, until that is refused; returns how many there were. */
async function drain(world: World, atMost: number): Promise<number> {
  const lane = createTradeLane(world.context);
  for (let opened = 0; opened < atMost; opened += 1) {
    const market = await outcomeOf(world.openMarket());
    if ('code' in market) {
      expect(market.code).toBe('EXPOSURE_LIMIT');
      return opened;
    }
    const reference = String(market.value.id);
    await lane.place(order({ market: reference, wallet: INSIDER, ...MOST }));
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
