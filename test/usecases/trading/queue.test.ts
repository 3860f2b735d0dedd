import { describe, expect, it } from '@jest/globals';
import { candlesOf, CREATOR, DAY, order, outcomeOf, wallet } from './support';
import { settle, watchedWorld } from './watched-storage';
import { createGate } from '../../support/gate';

describe('The trade queue', () => {
  it('commits orders that wait together in one transaction, and gives each its own answer', async () => {
    const { world, control, queue } = await watchedWorld();
    const gate = createGate();
    control.gate = gate.opened;
    const first = queue.place(order({ wallet: wallet(1) }));
    await settle();
    const rest = [
      queue.place(order({ wallet: wallet(2) })),
      queue.place(order({ wallet: wallet(3), market: '2', side: 'NO' })),
      queue.place(order({ wallet: wallet(1) })),
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

  it('does not make a lone order wait, and takes one transaction with one statement for each table', async () => {
    const { control, queue } = await watchedWorld();
    await queue.place(order({ wallet: wallet(1) }));
    expect(control.transactions).toBe(1);
    expect(control.statements).toEqual([
      'markets.lock',
      'accounts.lock',
      'positions.find',
      'trades.insert',
      'markets.update',
      'accounts.apply',
      'positions.save',
      'candles.merge',
      'postings.insert',
      'events.append',
    ]);
  });

  it('writes nothing, and does not wake the relay, for orders that are all refused', async () => {
    const { world, control, queue } = await watchedWorld();
    const wakeUps = world.wakeUps();
    const refused = await outcomeOf(queue.place(order({ wallet: wallet(7) })));
    expect(refused).toEqual({ code: 'INSUFFICIENT_BALANCE' });
    expect(control.statements).toEqual(['markets.lock', 'accounts.lock', 'positions.find']);
    expect(world.wakeUps()).toBe(wakeUps);
  });

  it('tells the live feed how many trades of a transaction were executed', async () => {
    const { world, queue } = await watchedWorld();
    const [wakeUps, facts] = [world.wakeUps(), world.toldFacts()];
    const wallets = [1, 2, 7, 3].map(wallet);
    await Promise.all(wallets.map((each) => outcomeOf(queue.place(order({ wallet: each })))));
    expect([world.wakeUps() - wakeUps, world.toldFacts() - facts]).toEqual([1, 3]);
  });

  it('takes at most 1,024 orders into one transaction', async () => {
    const { control, queue, world } = await watchedWorld();
    const orders = Array.from({ length: 1500 }, () =>
      order({ wallet: wallet(1), size: { amount: 100_000n } }),
    );
    const placed = await Promise.all(orders.map((one) => queue.place(one)));
    expect(control.transactions).toBe(2);
    expect(placed.map(({ view }) => view.id)).toEqual(orders.map((_, index) => index + 1));
    expect((await world.audit()).differences).toEqual([]);
  });

  it('lets neighbours of a refused order trade, in order, on what the ones before them have left', async () => {
    const { queue } = await watchedWorld();
    const outcomes = await Promise.all(
      [
        order({ wallet: wallet(1), size: { shares: 20_000_000n } }),
        order({ wallet: wallet(1), size: { shares: 20_000_000n }, bounds: { maxPrice: 500_000n } }),
        order({ wallet: wallet(2), market: '77' }),
        order({ wallet: wallet(1), action: 'sell', size: { shares: 21_000_000n } }),
        order({ wallet: wallet(1), action: 'sell', size: 'all' }),
        order({ wallet: wallet(1), action: 'sell', size: 'all' }),
      ].map((one) => outcomeOf(queue.place(one))),
    );
    expect(outcomes.map((outcome) => ('code' in outcome ? outcome.code : outcome.value.view.action))).toEqual(
      ['buy', 'SLIPPAGE_EXCEEDED', 'MARKET_NOT_FOUND', 'INSUFFICIENT_SHARES', 'sell', 'INSUFFICIENT_SHARES'],
    );
  });

  it('lets a creator spend, within a batch, the fees that the batch has earned', async () => {
    const { world, queue } = await watchedWorld();
    const [, spent] = await Promise.all([
      queue.place(order({ wallet: wallet(1), size: { shares: 40_000_000n } })),
      queue.place(order({ wallet: CREATOR, side: 'NO', size: { amount: 100_000n } })),
    ]);
    expect(spent.view.traderAddress).toBe(CREATOR);
    expect(spent.view.balance).toBeGreaterThan(0);
    expect((await world.audit()).differences).toEqual([]);
  });

  it('names the market by id, ticker or slug', async () => {
    const { queue } = await watchedWorld();
    const references = ['2', 'PM-0002', 'pm-0002', 'will-it-rain-tomorrow-2'];
    const placed = await Promise.all(
      references.map((market) => queue.place(order({ wallet: wallet(1), market }))),
    );
    expect(placed.map(({ view }) => view.marketId)).toEqual([2, 2, 2, 2]);
    for (const market of ['nothing-here', '0', '99', 'PM-0099', '§']) {
      expect(await outcomeOf(queue.place(order({ wallet: wallet(1), market })))).toEqual({
        code: 'MARKET_NOT_FOUND',
      });
    }
  });

  it('judges the end of trading behind the locks, not when the order came', async () => {
    const { world, control, queue } = await watchedWorld();
    const gate = createGate();
    control.gate = gate.opened;
    const late = outcomeOf(queue.place(order({ wallet: wallet(1) })));
    await settle();
    world.advance(DAY);
    gate.open();
    expect(await late).toEqual({ code: 'MARKET_CLOSED' });
  });

  it('numbers the events of each market densely, and keeps one candle a bucket', async () => {
    const { world, queue } = await watchedWorld();
    const markets = ['1', '2', '1', '1', '2'];
    await Promise.all(markets.map((market) => queue.place(order({ wallet: wallet(1), market }))));
    await queue.place(order({ wallet: wallet(2), market: '2' }));
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
    const { world, control, queue } = await watchedWorld();
    control.runTwice = true;
    const placed = await Promise.all(
      [1, 2, 3].map((number) => queue.place(order({ wallet: wallet(number), idempotencyKey: 'k' }))),
    );
    expect(new Set(placed.map(({ view }) => view.pricePerShare)).size).toBe(3);
    expect((await world.audit()).differences).toEqual([]);
    expect((await world.events()).filter(({ event }) => event === 'trade')).toHaveLength(3);
  });
});
