import fc from 'fast-check';
import { usdToMicros } from '../../../src/domain/money';
import { walletAccount } from '../../../src/domain/ledger';
import type { Outcome, Side } from '../../../src/domain/types';
import { resolveMarket } from '../../../src/usecases/resolution/resolve-market';
import { eventsOfFact } from '../../../src/events/events-of-fact';
import { ALICE, BOB, addressOf, createWorld, USD, type World } from './world';

async function treasury(world: World): Promise<bigint> {
  const account = await world.storage.read((reader) => reader.accounts.find('treasury'));
  return account?.balance ?? 0n;
}

function resolve(world: World, id: number, outcome: Outcome) {
  return resolveMarket(world.context, { market: String(id), outcome, note: null });
}

describe('one payout', () => {
  async function traded(): Promise<{ world: World; id: number }> {
    const world = await createWorld();
    const id = await world.open();
    await world.fund(ALICE, 100n);
    await world.fund(BOB, 100n);
    await world.trade(id, ALICE, 'YES', 60n * USD);
    await world.trade(id, ALICE, 'NO', 10n * USD);
    await world.trade(id, BOB, 'NO', 15n * USD);
    return { world, id };
  }

  it.each([
    ['YES', 60n * USD, 0n],
    ['NO', 10n * USD, 15n * USD],
    ['VOID', 35n * USD, (15n * USD) / 2n],
  ] as const)('of %s pays Alice %s and Bob %s; the treasury bears the rest', async (outcome, alice, bob) => {
    const { world, id } = await traded();
    const before = { alice: await world.balance(ALICE), bob: await world.balance(BOB) };
    const { pool } = await world.market(id);
    await resolve(world, id, outcome);
    expect((await world.balance(ALICE)) - before.alice).toBe(alice);
    expect((await world.balance(BOB)) - before.bob).toBe(bob);
    expect(await treasury(world)).toBe(pool - alice - bob);
    expect(await treasury(world)).not.toBe(0n);
    expect(await world.market(id)).toMatchObject({ pool: 0n, dueAt: null, sharesYes: 60n * USD });
    for (const position of await world.positions(id, [ALICE, BOB])) {
      expect(position).toMatchObject({ shares: 0n, costBasis: 0n, paidOut: true });
    }
    await world.expectCleanAudit();
  });

  it('leaves the remainders of a VOID to the treasury', async () => {
    const { world, id } = await traded();
    await world.trade(id, ALICE, 'YES', 1_000_001n);
    await world.trade(id, BOB, 'NO', 1_000_001n);
    const { pool, sharesYes, sharesNo } = await world.market(id);
    await resolve(world, id, 'VOID');
    // Two positions lose half a base unit each to rounding, so one base unit remains in the pool.
    expect(await treasury(world)).toBe(pool - (sharesYes + sharesNo) / 2n + 1n);
    const remainder = await world.storage.read((reader) =>
      reader.postings.find(`resolution:${id}:remainder`),
    );
    expect(remainder?.entries.map(({ amount }) => amount)).toEqual([-1n, 1n]);
    await world.expectCleanAudit();
  });

  it('puts every position into the history and the counters, those of losers too', async () => {
    const { world, id } = await traded();
    world.clock.advance(1000);
    await resolve(world, id, 'YES');
    const history = await world.storage.read((reader) =>
      reader.trades.listByWallet({ wallet: ALICE, limit: 10, offset: 0 }),
    );
    expect(history.total).toBe(4);
    const settlements = history.trades.filter(({ type }) => type === 'settlement');
    expect(settlements).toHaveLength(2);
    for (const { side, action, totalCost, yesPriceAfter } of settlements) {
      const payout = side === 'YES' ? 60n * USD : 0n;
      expect([action, totalCost, yesPriceAfter]).toEqual(['sell', payout, 1_000_000]);
    }
    const account = await world.storage.read((reader) => reader.accounts.find(walletAccount(ALICE)));
    expect(account).toMatchObject({ activityCount: 4, openPositions: 0, totalPositions: 2 });
  });

  it('tells each wallet, with the balance after each step', async () => {
    const { world, id } = await traded();
    const before = await world.balance(ALICE);
    const head = await world.storage.read((reader) => reader.events.head());
    await resolve(world, id, 'VOID');
    const rows = await world.storage.read((reader) => reader.events.after(head, 100));
    const events = rows.flatMap(eventsOfFact);
    expect(events.map(({ event }) => event)).toEqual([
      'market.resolving',
      'market.resolved',
      ...Array.from({ length: 3 }, () => ['account.settlement', 'account.balance']).flat(),
    ]);
    const steps = events.flatMap(({ data }) =>
      'reason' in data && 'balance' in data && data.address.toLowerCase() === ALICE
        ? [usdToMicros(data.balance) - before]
        : [],
    );
    expect(steps).toEqual([30n * USD, 35n * USD]);
  });

  it('of a market without trades moves no money', async () => {
    const world = await createWorld();
    const id = await world.open();
    await resolve(world, id, 'YES');
    expect(await world.market(id)).toMatchObject({ status: 'resolved', dueAt: null, pool: 0n });
    expect(await treasury(world)).toBe(0n);
    await world.expectCleanAudit();
  });

  it('leaves alone positions that were sold', async () => {
    const { world, id } = await traded();
    await world.trade(id, BOB, 'NO', 'all', 'sell');
    const before = await world.balance(BOB);
    await resolve(world, id, 'NO');
    expect(await world.balance(BOB)).toBe(before);
    await world.expectCleanAudit();
  });
});

describe('random markets', () => {
  const order = fc.record({
    wallet: fc.integer({ min: 0, max: 3 }),
    side: fc.constantFrom<Side>('YES', 'NO'),
    shares: fc.bigInt({ min: 20_000n, max: 80n * USD }),
    sell: fc.boolean(),
  });
  const wallets = [0, 1, 2, 3].map((index) => addressOf(index + 1));

  it('pay exactly what their positions are owed, and no wallet anything else', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(order, { maxLength: 25 }),
        fc.constantFrom<Outcome>('YES', 'NO', 'VOID'),
        async (orders, outcome) => {
          const world = await createWorld();
          const id = await world.open();
          for (const wallet of wallets) await world.fund(wallet, 1_000n);
          for (const { wallet, side, shares, sell } of orders) {
            await world
              .trade(id, wallets[wallet] ?? '', side, shares, sell ? 'sell' : 'buy')
              .catch(() => undefined);
          }
          await expectExactPayout(world, id, outcome);
        },
      ),
      { numRuns: 150 },
    );
  });

  async function expectExactPayout(world: World, id: number, outcome: Outcome): Promise<void> {
    const expected = new Map<string, bigint>();
    for (const wallet of wallets) expected.set(wallet, await world.balance(wallet));
    let owed = 0n;
    for (const position of await world.positions(id, wallets)) {
      const winning = position.side === outcome ? position.shares : 0n;
      const payout = outcome === 'VOID' ? position.shares / 2n : winning;
      owed += payout;
      expected.set(position.wallet, (expected.get(position.wallet) ?? 0n) + payout);
    }
    const { pool, liquidityParameter } = await world.market(id);
    await resolve(world, id, outcome);
    for (const [wallet, balance] of expected) expect(await world.balance(wallet)).toBe(balance);
    expect(await treasury(world)).toBe(pool - owed);
    expect(-(await treasury(world))).toBeLessThanOrEqual(world.context.pricing.worstLoss(liquidityParameter));
    if (outcome === 'VOID') expect(await treasury(world)).toBeGreaterThanOrEqual(0n);
    expect(await world.market(id)).toMatchObject({ pool: 0n, dueAt: null });
    await world.expectCleanAudit();
  }
});
