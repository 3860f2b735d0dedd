import { describe, expect, it } from '@jest/globals';
import { CANDLE_INTERVALS } from '../../../src/domain/candles';
import { getPrice } from '../../../src/usecases/markets/get-price';
import { getPriceHistory } from '../../../src/usecases/markets/get-price-history';
import { listTrades } from '../../../src/usecases/trading/list-trades';
import { createTradeQueue } from '../../../src/usecases/trading/trade-queue';
import { createWorld, DAY, HOUR, order, outcomeOf, START, wallet, type World } from '../trading/support';

const MINUTE = 60_000;
const page = { limit: 20, offset: 0 };

async function tradedWorld(): Promise<{ world: World; place: ReturnType<typeof createTradeQueue>['place'] }> {
  const world = await createWorld();
  await world.openMarket({ resolveDate: START + 30 * DAY });
  await world.fund(wallet(1), 1000);
  const { place } = createTradeQueue(world.context);
  return { world, place };
}

describe('Listing the trades of a market', () => {
  it('shows the newest first, abbreviates the trader, and counts all trades of the market under any filter', async () => {
    const { world, place } = await tradedWorld();
    await place(order({ wallet: wallet(1) }));
    await place(order({ wallet: wallet(1), side: 'NO' }));
    const view = await listTrades(world.context, { market: 'PM-0001', side: null, ...page });
    expect(view.trades.map(({ id }) => id)).toEqual([2, 1]);
    expect(view.trades[0]?.traderAddress).toBe('0x4444...0001');
    const filtered = await listTrades(world.context, { market: '1', side: 'YES', ...page });
    expect(filtered.trades.map(({ id }) => id)).toEqual([1]);
    expect(filtered.total).toBe(2);
  });
});

describe('The price of a market', () => {
  const quote = { side: 'YES' as const, action: 'buy' as const };

  it('is shown without a quote when no size is asked for', async () => {
    const { world } = await tradedWorld();
    expect(await getPrice(world.context, { market: '1', ...quote, size: null })).toEqual({
      marketId: 1,
      yesPrice: 0.5,
      noPrice: 0.5,
      liquidity: 0,
      asOf: '2027-01-01T00:00:00.000Z',
      quote: null,
    });
  });

  it('quotes what the very next trade then comes to', async () => {
    const { world, place } = await tradedWorld();
    const size = { amount: 25_000_000n };
    const { quote: quoted } = await getPrice(world.context, { market: '1', ...quote, size });
    const { view } = await place(order({ wallet: wallet(1), size }));
    expect(quoted).toMatchObject({
      shares: view.shares,
      pricePerShare: view.pricePerShare,
      totalCost: view.totalCost,
      fee: view.fee,
      yesPriceAfter: view.yesPrice,
      noPriceAfter: view.noPrice,
    });
    expect(quoted?.priceImpact).toBeCloseTo(view.yesPrice - 0.5, 9);
    const back = await getPrice(world.context, {
      market: '1',
      side: 'YES',
      action: 'sell',
      size: { shares: 1_000_000n },
    });
    expect(back.quote?.priceImpact).toBeLessThan(0);
  });

  it('refuses quotes past the price limit and on closed markets, but not the price', async () => {
    const { world } = await tradedWorld();
    const dear = { market: '1', ...quote, size: { amount: 900_000_000n } };
    expect(await outcomeOf(getPrice(world.context, dear))).toEqual({ code: 'PRICE_LIMIT' });
    world.advance(30 * DAY);
    expect(await outcomeOf(getPrice(world.context, dear))).toEqual({ code: 'MARKET_CLOSED' });
    expect((await getPrice(world.context, { ...dear, size: null })).yesPrice).toBe(0.5);
  });
});

describe('The price history of a market', () => {
  const hourly = {
    market: '1',
    interval: '1h',
    startTime: null,
    endTime: null,
    limit: 500,
  } as const;

  it('carries the last close through buckets without trades, up to now', async () => {
    const { world, place } = await tradedWorld();
    world.advance(HOUR + 5 * MINUTE);
    const first = await place(order({ wallet: wallet(1) }));
    const second = await place(order({ wallet: wallet(1), side: 'NO', size: { amount: 1_000_000n } }));
    world.advance(2 * HOUR);
    const { candles } = await getPriceHistory(world.context, hourly);
    expect(candles.map(({ time }) => time.slice(11, 16))).toEqual(['00:00', '01:00', '02:00', '03:00']);
    expect(candles[0]).toMatchObject({ open: 0.5, close: 0.5, volume: 0, trades: 0 });
    expect(candles[1]).toMatchObject({
      open: 0.5,
      high: first.view.yesPrice,
      low: 0.5,
      close: second.view.yesPrice,
      trades: 2,
    });
    const close = second.view.yesPrice;
    expect(candles[3]).toMatchObject({ open: close, high: close, low: close, close, volume: 0, trades: 0 });
  });

  it('opens a window with the close before it, and keeps the newest within the limit', async () => {
    const { world, place } = await tradedWorld();
    const { view } = await place(order({ wallet: wallet(1) }));
    world.advance(10 * HOUR);
    const window = await getPriceHistory(world.context, {
      ...hourly,
      startTime: START + 2 * HOUR,
      endTime: START + 4 * HOUR,
    });
    expect(window.candles.map(({ open, trades }) => ({ open, trades }))).toEqual([
      { open: view.yesPrice, trades: 0 },
      { open: view.yesPrice, trades: 0 },
    ]);
    const newest = await getPriceHistory(world.context, { ...hourly, limit: 3 });
    expect(newest.candles.map(({ time }) => time.slice(11, 16))).toEqual(['08:00', '09:00', '10:00']);
  });

  it('builds longer intervals from the stored buckets, and agrees with the shorter ones', async () => {
    const { world, place } = await tradedWorld();
    for (let step = 0; step < 12; step += 1) {
      await place(order({ wallet: wallet(1), side: step % 3 === 0 ? 'NO' : 'YES' }));
      world.advance(37 * MINUTE);
    }
    const all = await Promise.all(
      CANDLE_INTERVALS.map((interval) =>
        getPriceHistory(world.context, { ...hourly, interval, limit: 5000 }),
      ),
    );
    const summed = all.map(({ candles }) => ({
      open: candles[0]?.open,
      close: candles.at(-1)?.close,
      high: Math.max(...candles.map(({ high }) => high)),
      low: Math.min(...candles.map(({ low }) => low)),
      trades: candles.reduce((sum, { trades }) => sum + trades, 0),
      volume: Math.round(candles.reduce((sum, { volume }) => sum + volume * 1e6, 0)),
    }));
    expect(new Set(summed.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(summed[0]?.trades).toBe(12);
  });

  it('is empty when the window is', async () => {
    const { world } = await tradedWorld();
    const { candles } = await getPriceHistory(world.context, { ...hourly, startTime: START + DAY });
    expect(candles).toEqual([]);
    const early = await getPriceHistory(world.context, { ...hourly, endTime: START - DAY });
    expect(early.candles).toEqual([]);
  });
});
