import { memoryStorage } from '../../../adapters/storage/memory';
import type { PlaceTradeCommand } from '../../../src/usecases/commands';
import { createTradeQueue, type PlacedTrade } from '../../../src/usecases/trading/trade-queue';
import { onEachStorage } from '../../support/storages';
import { createWorld, CREATOR, order, outcomeOf, wallet, type World } from './support';

const ORDERS = 1_000;
const CENT = 10_000n;
const COPIED = 'sent twice';

function orderAt(index: number): PlaceTradeCommand {
  const trader = index % 4 === 3 ? CREATOR : wallet(1 + (index % 4));
  const market = index % 10 === 9 ? '4711' : String(1 + (index % 2));
  const side = index % 3 === 0 ? 'NO' : 'YES';
  // Orders 5, 260 and 900 have the same idempotency key. Order 260 differs from order 5, and order 900 equals order 5.
  if (index === 5 || index === 260 || index === 900)
    return order({
      wallet: wallet(1),
      size: { amount: (index === 260 ? 5n : 4n) * CENT },
      idempotencyKey: COPIED,
    });
  if (index % 7 === 6) return order({ wallet: trader, market, side, action: 'sell', size: 'all' });
  const key = index % 5 === 0 ? `key ${index % 400}` : null;
  const again = index % 400;
  return key === null
    ? order({ wallet: trader, market, side, size: { amount: BigInt(2 + (index % 9)) * CENT } })
    : order({
        wallet: wallet(1 + (again % 3)),
        size: { amount: BigInt(2 + (again % 9)) * CENT },
        idempotencyKey: key,
      });
}

async function prepared(world: World): Promise<World> {
  for (const trader of [wallet(1), wallet(2), wallet(3), CREATOR]) await world.fund(trader, 1);
  await world.openMarket();
  await world.openMarket({ question: 'Will it snow tomorrow?' });
  return world;
}

type Outcome = { value: PlacedTrade } | { code: string };

/** The storage chooses the ids of trades, so only the fact that two answers name the same trade can be compared. */
function comparable(outcomes: readonly Outcome[]): unknown[] {
  const ids = new Map<number, number>();
  return outcomes.map((outcome) => {
    if ('code' in outcome) return outcome;
    const { view, replayed } = outcome.value;
    const id = ids.get(view.id) ?? ids.size;
    ids.set(view.id, id);
    return { replayed, view: { ...view, id } };
  });
}

async function oneByOne(commands: readonly PlaceTradeCommand[]): Promise<Outcome[]> {
  const world = await prepared(await createWorld());
  const queue = createTradeQueue(world.context);
  const outcomes: Outcome[] = [];
  for (const command of commands) outcomes.push(await outcomeOf(queue.place(command)));
  return outcomes;
}

onEachStorage('A batch of a thousand orders', ({ create }) => {
  it('is one transaction, and answers as if they had come one by one', async () => {
    const home = await create();
    const storage = home.handle();
    let transactions = 0;
    const world = await prepared(
      await createWorld(
        {},
        (plain) => ({
          ...plain,
          transaction: (work) => {
            transactions += 1;
            return plain.transaction(work);
          },
        }),
        storage,
      ),
    );
    try {
      const commands = Array.from({ length: ORDERS }, (_, index) => orderAt(index));
      const queue = createTradeQueue(world.context);
      transactions = 0;
      const outcomes = await Promise.all(commands.map((command) => outcomeOf(queue.place(command))));
      expect(transactions).toBe(1);
      expect(comparable(outcomes)).toEqual(comparable(await oneByOne(commands)));
      expect(outcomes[260]).toEqual({ code: 'IDEMPOTENCY_CONFLICT' });
      expect(outcomes[900]).toMatchObject({ value: { replayed: true } });
      const codes = new Set(outcomes.map((outcome) => ('code' in outcome ? outcome.code : 'executed')));
      expect([...codes].sort()).toEqual([
        'IDEMPOTENCY_CONFLICT',
        'INSUFFICIENT_BALANCE',
        'INSUFFICIENT_SHARES',
        'MARKET_NOT_FOUND',
        'executed',
      ]);
      expect((await world.audit()).differences).toEqual([]);
    } finally {
      await storage.close();
      await home.destroy();
    }
  });
});

describe('what the queue remembers of markets', () => {
  it('may be forgotten in the middle of trading, when there are too many', async () => {
    const world = await createWorld({ exposureLimit: 1_000_000 }, undefined, memoryStorage());
    await world.fund(wallet(1), 10_000);
    const markets = 10_100;
    for (let id = 1; id <= markets; id += 1) await world.openMarket({ question: `Market ${id}?` });
    const queue = createTradeQueue(world.context);
    const everywhere = Array.from({ length: markets }, (_, index) =>
      queue.place(order({ wallet: wallet(1), market: String(1 + index), size: { amount: 2n * CENT } })),
    );
    const again = [1, markets, 5_000].map((id) =>
      queue.place(order({ wallet: wallet(1), market: String(id), action: 'sell', size: 'all' })),
    );
    const placed = await Promise.all([...everywhere, ...again]);
    expect(placed.map(({ view }) => view.marketId)).toEqual([
      ...Array.from({ length: markets }, (_, index) => 1 + index),
      ...[1, markets, 5_000],
    ]);
    expect((await world.audit()).differences).toEqual([]);
  });
});
