import { describe, expect, it } from '@jest/globals';
import { PredictionMarketError, serviceUnavailable } from '../../src/domain/errors';
import type { Storage, Transaction } from '../../src/ports/storage';
import { createTradeLane } from '../../src/usecases/trade-lane';
import {
  candlesOf,
  createGate,
  CREATOR,
  createWorld,
  DAY,
  order,
  outcomeOf,
  wallet,
  type World,
} from './trading-support';

/** A storage that counts transactions and may be told to hold, fail or repeat them. */
function watched(): { wrap: (storage: Storage) => Storage; control: Control } {
  const control: Control = { transactions: 0, statements: [], gate: null, fault: null, runTwice: false };
  const wrap = (storage: Storage): Storage => ({
    ...storage,
    transaction: async (work) => {
      control.transactions += 1;
      await control.gate;
      if (control.runTwice) await rolledBack(storage, work);
      return storage.transaction(async (transaction) => {
        const result = await work(logged(transaction, control));
        await control.fault?.(transaction);
        return result;
      });
    },
  });
  return { wrap, control };
}

interface Control {
  transactions: number;
  statements: string[];
  gate: Promise<void> | null;
  /** Throws to fail a transaction at its end. */
  fault: ((transaction: Transaction) => Promise<void>) | null;
  runTwice: boolean;
}

async function rolledBack<T>(
  storage: Storage,
  work: (transaction: Transaction) => Promise<T>,
): Promise<void> {
  const undone = new Error('undone');
  await storage
    .transaction(async (transaction) => {
      await work(transaction);
      throw undone;
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error;
    });
}

/** Notes the repository calls, by name, in their order. */
function logged(transaction: Transaction, control: Control): Transaction {
  const repositories = Object.entries(transaction).map(([name, repository]) => [
    name,
    new Proxy(repository as object, {
      get: (target, method, receiver) => {
        control.statements.push(`${name}.${String(method)}`);
        return Reflect.get(target, method, receiver) as unknown;
      },
    }),
  ]);
  return Object.fromEntries(repositories) as unknown as Transaction;
}

async function tradingWorld(): Promise<{
  world: World;
  control: Control;
  lane: ReturnType<typeof createTradeLane>;
}> {
  const { wrap, control } = watched();
  const world = await createWorld({}, wrap);
  await world.openMarket();
  await world.openMarket();
  for (const number of [1, 2, 3]) await world.fund(wallet(number), 1000);
  control.transactions = 0;
  control.statements = [];
  return { world, control, lane: createTradeLane(world.context) };
}

/** Lets everything run that can: promises and a turn of the event loop. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('The writer lane', () => {
  it('commits orders that wait together in one transaction, each with its own answer', async () => {
    const { world, control, lane } = await tradingWorld();
    const gate = createGate();
    control.gate = gate.opened;
    const first = lane.place(order({ wallet: wallet(1) }));
    await settle();
    const rest = [
      lane.place(order({ wallet: wallet(2) })),
      lane.place(order({ wallet: wallet(3), market: '2', side: 'NO' })),
      lane.place(order({ wallet: wallet(1) })),
    ];
    await settle();
    expect(control.transactions).toBe(1);
    gate.open();
    const placed = await Promise.all([first, ...rest]);
    expect(control.transactions).toBe(2);
    expect(placed.map(({ view }) => view.id)).toEqual([1, 2, 3, 4]);
    expect(placed.map(({ view }) => view.marketId)).toEqual([1, 1, 2, 1]);
    expect(placed.map(({ replayed }) => replayed)).toEqual([false, false, false, false]);
    expect((await world.audit()).differences).toEqual([]);
  });

  it('makes a lone order wait for nobody: one transaction, with one statement a table', async () => {
    const { control, lane } = await tradingWorld();
    await lane.place(order({ wallet: wallet(1) }));
    expect(control.transactions).toBe(1);
    expect(control.statements).toEqual([
      'markets.lock',
      'accounts.lock',
      'positions.find',
      'markets.update',
      'trades.insert',
      'accounts.apply',
      'entries.insert',
      'positions.save',
      'candles.merge',
      'events.append',
    ]);
  });

  it('writes nothing, and wakes nobody, for orders that are all refused', async () => {
    const { world, control, lane } = await tradingWorld();
    const wakeUps = world.wakeUps();
    const refused = await outcomeOf(lane.place(order({ wallet: wallet(7) })));
    expect(refused).toEqual({ code: 'INSUFFICIENT_BALANCE' });
    expect(control.statements).toEqual(['markets.lock', 'accounts.lock', 'positions.find']);
    expect(world.wakeUps()).toBe(wakeUps);
  });

  it('takes at most 1,024 orders into one transaction', async () => {
    const { control, lane, world } = await tradingWorld();
    const orders = Array.from({ length: 1500 }, () =>
      order({ wallet: wallet(1), size: { amount: 100_000n } }),
    );
    const placed = await Promise.all(orders.map((one) => lane.place(one)));
    expect(control.transactions).toBe(2);
    expect(placed.map(({ view }) => view.id)).toEqual(orders.map((_, index) => index + 1));
    expect((await world.audit()).differences).toEqual([]);
  });

  it('lets neighbours of a refused order trade, in order, on what the ones before them have left', async () => {
    const { lane } = await tradingWorld();
    const outcomes = await Promise.all(
      [
        order({ wallet: wallet(1), size: { shares: 20_000_000n } }),
        order({ wallet: wallet(1), size: { shares: 20_000_000n }, bounds: { maxPrice: 500_000n } }),
        order({ wallet: wallet(2), market: '77' }),
        order({ wallet: wallet(1), action: 'sell', size: { shares: 21_000_000n } }),
        order({ wallet: wallet(1), action: 'sell', size: 'all' }),
        order({ wallet: wallet(1), action: 'sell', size: 'all' }),
      ].map((one) => outcomeOf(lane.place(one))),
    );
    expect(outcomes.map((outcome) => ('code' in outcome ? outcome.code : outcome.value.view.action))).toEqual(
      ['buy', 'SLIPPAGE_EXCEEDED', 'MARKET_NOT_FOUND', 'INSUFFICIENT_SHARES', 'sell', 'INSUFFICIENT_SHARES'],
    );
  });

  it('lets a creator spend, within a batch, the fees that the batch has earned', async () => {
    const { world, lane } = await tradingWorld();
    const [, spent] = await Promise.all([
      lane.place(order({ wallet: wallet(1), size: { shares: 40_000_000n } })),
      lane.place(order({ wallet: CREATOR, side: 'NO', size: { amount: 100_000n } })),
    ]);
    expect(spent.view.traderAddress).toBe(CREATOR);
    expect(spent.view.balance).toBeGreaterThan(0);
    expect((await world.audit()).differences).toEqual([]);
  });

  it('names the market by id, ticker or slug', async () => {
    const { lane } = await tradingWorld();
    const references = ['2', 'PM-0002', 'pm-0002', 'will-it-rain-tomorrow-2'];
    const placed = await Promise.all(
      references.map((market) => lane.place(order({ wallet: wallet(1), market }))),
    );
    expect(placed.map(({ view }) => view.marketId)).toEqual([2, 2, 2, 2]);
    for (const market of ['nothing-here', '0', '99', 'PM-0099', '§']) {
      expect(await outcomeOf(lane.place(order({ wallet: wallet(1), market })))).toEqual({
        code: 'MARKET_NOT_FOUND',
      });
    }
  });

  it('judges the end of trading behind the locks, not when the order came', async () => {
    const { world, control, lane } = await tradingWorld();
    const gate = createGate();
    control.gate = gate.opened;
    const late = outcomeOf(lane.place(order({ wallet: wallet(1) })));
    await settle();
    world.advance(DAY);
    gate.open();
    expect(await late).toEqual({ code: 'MARKET_CLOSED' });
  });

  it('numbers the events of each market densely, and keeps one candle a bucket', async () => {
    const { world, lane } = await tradingWorld();
    const markets = ['1', '2', '1', '1', '2'];
    await Promise.all(markets.map((market) => lane.place(order({ wallet: wallet(1), market }))));
    await lane.place(order({ wallet: wallet(2), market: '2' }));
    const trades = (await world.events()).filter(({ event }) => event === 'trade');
    const seqs = (marketId: number): (number | null)[] =>
      trades
        .filter(({ data }) => 'marketId' in data && data.marketId === marketId)
        .map((one) => one.marketSeq);
    expect(seqs(1)).toEqual([2, 3, 4]);
    expect(seqs(2)).toEqual([2, 3, 4]);
    for (const resolution of [60_000, 3_600_000, DAY]) {
      const candles = await candlesOf(world.storage, resolution);
      expect(candles).toHaveLength(1);
      expect(candles[0]).toMatchObject({ open: 500_000, low: 500_000, trades: 3 });
      expect(candles[0]?.high).toBe(candles[0]?.close);
    }
  });

  it('rebuilds everything when the storage runs the transaction again', async () => {
    const { world, control, lane } = await tradingWorld();
    control.runTwice = true;
    const placed = await Promise.all(
      [1, 2, 3].map((number) => lane.place(order({ wallet: wallet(number), idempotencyKey: 'k' }))),
    );
    expect(new Set(placed.map(({ view }) => view.pricePerShare)).size).toBe(3);
    expect((await world.audit()).differences).toEqual([]);
    expect((await world.events()).filter(({ event }) => event === 'trade')).toHaveLength(3);
  });
});

describe('The writer lane, when a batch fails', () => {
  it('finds the order that the storage chokes on, and serves its neighbours', async () => {
    const { world, control, lane } = await tradingWorld();
    const poison = wallet(2);
    control.fault = async (transaction) => {
      const [position] = await transaction.positions.find([{ marketId: 1, wallet: poison }]);
      if (position !== undefined) throw new Error('cannot store this');
    };
    const wallets = [1, 3, 1, 2, 3, 1, 3].map(wallet);
    const outcomes = await Promise.all(wallets.map((one) => outcomeOf(lane.place(order({ wallet: one })))));
    const failed = outcomes.map((outcome) => 'code' in outcome);
    expect(failed).toEqual(wallets.map((one) => one === poison));
    expect(outcomes[3]).toEqual({ code: 'Error: cannot store this' });
    const ids = outcomes.flatMap((outcome) => ('value' in outcome ? [outcome.value.view.id] : []));
    expect(ids).toEqual([...ids].sort((left, right) => left - right));
    control.fault = null;
    expect((await world.audit()).differences).toEqual([]);
    expect((await outcomeOf(lane.place(order({ wallet: poison })))) as object).toHaveProperty('value');
  });

  it('tells everybody at once that the storage is away, and trades again when it is back', async () => {
    const { world, control, lane } = await tradingWorld();
    const gate = createGate();
    control.gate = gate.opened;
    control.fault = () => Promise.reject(serviceUnavailable('away'));
    const first = outcomeOf(lane.place(order({ wallet: wallet(1) })));
    await settle();
    const waiting = [2, 3].map((number) => outcomeOf(lane.place(order({ wallet: wallet(number) }))));
    gate.open();
    expect(await Promise.all([first, ...waiting])).toEqual(
      Array.from({ length: 3 }, () => ({ code: 'SERVICE_UNAVAILABLE' })),
    );
    expect(control.transactions).toBe(1);
    control.fault = null;
    const { view } = await lane.place(order({ wallet: wallet(1) }));
    expect(view.pricePerShare).toBeGreaterThan(0.5);
    expect((await world.audit()).differences).toEqual([]);
  });

  it('does not try the rest of a failed batch when the storage goes away meanwhile', async () => {
    const { control, lane } = await tradingWorld();
    control.fault = () =>
      Promise.reject(control.transactions === 1 ? new Error('something') : serviceUnavailable('away'));
    const outcomes = await Promise.all(
      [1, 2, 3].map((number) => outcomeOf(lane.place(order({ wallet: wallet(number) })))),
    );
    expect(outcomes).toEqual(Array.from({ length: 3 }, () => ({ code: 'SERVICE_UNAVAILABLE' })));
    expect(control.transactions).toBe(2);
  });
});

describe('Draining the lane', () => {
  it('waits for what is in flight, what waits, and orders whose market is being looked up', async () => {
    const { lane } = await tradingWorld();
    const done: string[] = [];
    const note = (name: string) => (): void => void done.push(name);
    void lane.place(order({ wallet: wallet(1), market: 'will-it-rain-tomorrow' })).then(note('slug'));
    await lane.drain();
    expect(done).toEqual(['slug']);
    void lane.place(order({ wallet: wallet(1) })).then(note('one'));
    void lane.place(order({ wallet: wallet(2) })).then(note('two'));
    await lane.drain();
    expect(done).toEqual(['slug', 'one', 'two']);
  });

  it('resolves at once when there is nothing to wait for, and after failures', async () => {
    const { lane } = await tradingWorld();
    await lane.drain();
    const failed = outcomeOf(lane.place(order({ wallet: wallet(1), market: 'no-such-market' })));
    await lane.drain();
    expect(await failed).toEqual({ code: 'MARKET_NOT_FOUND' });
  });

  it('rejects with refusals that callers can tell apart by code', async () => {
    const { lane } = await tradingWorld();
    await expect(lane.place(order({ wallet: wallet(9) }))).rejects.toBeInstanceOf(PredictionMarketError);
  });
});
