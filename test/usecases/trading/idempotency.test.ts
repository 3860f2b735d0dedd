import { describe, expect, it } from '@jest/globals';
import type { PlaceTradeCommand } from '../../../src/usecases/commands';
import { createTradeQueue, type TradeQueue } from '../../../src/usecases/trading/trade-queue';
import { createWorld, DAY, HOUR, order, outcomeOf, wallet, type World } from './support';

async function tradingWorld(): Promise<{ world: World; queue: TradeQueue }> {
  const world = await createWorld();
  await world.openMarket();
  await world.openMarket();
  for (const number of [1, 2]) await world.fund(wallet(number), 1000);
  return { world, queue: createTradeQueue(world.context) };
}

const keyed = (change: Partial<PlaceTradeCommand> = {}): PlaceTradeCommand =>
  order({ wallet: wallet(1), idempotencyKey: 'key', ...change });

describe('idempotency keys', () => {
  it('trade once, for any number of copies at once through any number of queues', async () => {
    const { world } = await tradingWorld();
    const queues = [createTradeQueue(world.context), createTradeQueue(world.context)];
    const copies = Array.from({ length: 50 }, () => queues.map((queue) => queue.place(keyed()))).flat();
    const placed = await Promise.all(copies);
    expect(placed.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(new Set(placed.map(({ view }) => JSON.stringify(view))).size).toBe(1);
    const trades = await world.storage.read((reader) =>
      reader.trades.listByWallet({ wallet: wallet(1), limit: 10, offset: 0 }),
    );
    expect(trades.total).toBe(1);
    expect((await world.audit()).differences).toEqual([]);
  });

  it('answer a copy that comes while the first is in flight', async () => {
    const { queue } = await tradingWorld();
    const first = queue.place(keyed());
    await Promise.resolve();
    const second = queue.place(keyed());
    expect(await second).toEqual({ ...(await first), replayed: true });
  });

  it('are replayed after more trades, after the end of trading, and under any name of the market', async () => {
    const { world, queue } = await tradingWorld();
    const first = await queue.place(keyed());
    await queue.place(order({ wallet: wallet(2) }));
    world.advance(DAY + HOUR);
    for (const market of ['1', 'PM-0001', 'will-it-rain-tomorrow']) {
      expect(await queue.place(keyed({ market }))).toEqual({ view: first.view, replayed: true });
    }
    expect(await outcomeOf(queue.place(keyed({ idempotencyKey: 'other' })))).toEqual({
      code: 'MARKET_CLOSED',
    });
  });

  it.each<[string, Partial<PlaceTradeCommand>]>([
    ['another market', { market: '2' }],
    ['another side', { side: 'NO' }],
    ['another action', { action: 'sell', size: { shares: 1_000_000n } }],
    ['another amount', { size: { amount: 10_000_001n } }],
    ['as many shares as it was micro-USD', { size: { shares: 10_000_000n } }],
    ['other bounds', { bounds: { maxPrice: 900_000n } }],
  ])('refuse %s, later and in the same batch', async (_, change) => {
    const { queue } = await tradingWorld();
    const [first, conflicting] = await Promise.all([
      queue.place(keyed()),
      outcomeOf(queue.place(keyed(change))),
    ]);
    expect(first.replayed).toBe(false);
    expect(conflicting).toEqual({ code: 'IDEMPOTENCY_CONFLICT' });
    expect(await outcomeOf(queue.place(keyed(change)))).toEqual({ code: 'IDEMPOTENCY_CONFLICT' });
  });

  it('tell apart to which bound a value belongs', async () => {
    const { queue } = await tradingWorld();
    await queue.place(keyed({ bounds: { minShares: 500_000n } }));
    const moved = keyed({ bounds: { maxPrice: 500_000n } });
    expect(await outcomeOf(queue.place(moved))).toEqual({ code: 'IDEMPOTENCY_CONFLICT' });
  });

  it('belong to a wallet', async () => {
    const { queue } = await tradingWorld();
    const [one, two] = await Promise.all([queue.place(keyed()), queue.place(keyed({ wallet: wallet(2) }))]);
    expect([one.replayed, two.replayed]).toEqual([false, false]);
    expect(one.view.id).not.toBe(two.view.id);
  });

  it('remember only what was executed: a refused order may be sent again', async () => {
    const { world, queue } = await tradingWorld();
    const poor = keyed({ wallet: wallet(3) });
    expect(await Promise.all([1, 2].map(() => outcomeOf(queue.place(poor))))).toEqual([
      { code: 'INSUFFICIENT_BALANCE' },
      { code: 'INSUFFICIENT_BALANCE' },
    ]);
    await world.fund(wallet(3), 50);
    expect((await queue.place(poor)).replayed).toBe(false);
    expect((await queue.place(poor)).replayed).toBe(true);
  });
});
