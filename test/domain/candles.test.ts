import fc from 'fast-check';
import {
  buildCandles,
  candlesOfTrade,
  historyWindow,
  INTERVALS_MS,
  mergeCandle,
  STORED_LENGTHS_MS,
  storedLengthFor,
} from '../../src/domain/candles';
import type { Candle } from '../../src/domain/types';
import { T0 } from './support/arbitraries';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const trade = (createdAt: number, yesPriceAfter: number, notional = 10n) => ({
  marketId: 7,
  notional,
  yesPriceAfter,
  createdAt,
});
const flat = (time: number, price: number, lengthMs = MINUTE): Candle => ({
  marketId: 7,
  lengthMs,
  time,
  open: price,
  high: price,
  low: price,
  close: price,
  volume: 0n,
  trades: 0,
});

describe('stored candles', () => {
  it('get each trade into one bucket of each resolution', () => {
    const candles = candlesOfTrade(trade(T0 + 90_000, 600_000), 500_000);
    expect(candles.map(({ lengthMs, time }) => [lengthMs, time])).toEqual([
      [MINUTE, T0 + MINUTE],
      [HOUR, T0],
      [24 * HOUR, T0],
    ]);
    expect(candles[0]).toEqual({
      ...flat(T0 + MINUTE, 500_000),
      high: 600_000,
      close: 600_000,
      volume: 10n,
      trades: 1,
    });
  });

  it('keep the open, widen, close with the later and add up when they are merged', () => {
    const [first] = candlesOfTrade(trade(T0, 600_000), 500_000);
    const [second] = candlesOfTrade(trade(T0 + 1, 450_000), 600_000);
    if (first === undefined || second === undefined) throw new Error('a trade has candles');
    expect(mergeCandle(first, second)).toEqual({
      ...flat(T0, 500_000),
      high: 600_000,
      low: 450_000,
      close: 450_000,
      volume: 20n,
      trades: 2,
    });
  });

  it.each([
    ['1m', 60_000],
    ['5m', 300_000],
    ['15m', 900_000],
    ['1h', 3_600_000],
    ['6h', 21_600_000],
    ['1d', 86_400_000],
  ] as const)('of %s are as long as their name says', (interval, lengthMs) => {
    expect(INTERVALS_MS[interval]).toBe(lengthMs);
  });

  it('serve every interval from the coarsest resolution that divides it', () => {
    const served = Object.values(INTERVALS_MS).map((interval) => storedLengthFor(interval) / MINUTE);
    expect(served).toEqual([1, 1, 1, 60, 60, 1440]);
    for (const odd of [0, -MINUTE, 1_000, 90_000]) expect(() => storedLengthFor(odd)).toThrow(RangeError);
  });
});

describe('historyWindow', () => {
  const base = {
    createdAt: T0 + 90_000,
    now: T0 + 10 * MINUTE + 5,
    startTime: null,
    endTime: null,
    intervalMs: MINUTE,
    limit: 500,
  };

  it('goes from the bucket of the creation to the bucket of now', () => {
    expect(historyWindow(base)).toEqual({ from: T0 + MINUTE, to: T0 + 11 * MINUTE });
    expect(historyWindow({ ...base, now: T0 + 10 * MINUTE })).toEqual({
      from: T0 + MINUTE,
      to: T0 + 11 * MINUTE,
    });
  });

  it('takes startTime as inclusive and endTime as exclusive, on the start of a bucket', () => {
    const bounded = { ...base, startTime: T0 + 3 * MINUTE, endTime: T0 + 5 * MINUTE };
    expect(historyWindow(bounded)).toEqual({ from: T0 + 3 * MINUTE, to: T0 + 5 * MINUTE });
    const between = { ...base, startTime: T0 + 3 * MINUTE + 1, endTime: T0 + 5 * MINUTE + 1 };
    expect(historyWindow(between)).toEqual({ from: T0 + 4 * MINUTE, to: T0 + 6 * MINUTE });
  });

  it('never leaves the life of the market so far', () => {
    const wide = { ...base, startTime: 0, endTime: T0 + 99 * HOUR };
    expect(historyWindow(wide)).toEqual(historyWindow(base));
    const future = historyWindow({ ...base, startTime: T0 + 50 * HOUR });
    expect(future.from >= future.to).toBe(true);
  });

  it('keeps the newest buckets within the limit', () => {
    expect(historyWindow({ ...base, limit: 2 })).toEqual({ from: T0 + 9 * MINUTE, to: T0 + 11 * MINUTE });
  });
});

describe('buildCandles', () => {
  const build = (changes: Partial<Parameters<typeof buildCandles>[0]> = {}) =>
    buildCandles({
      marketId: 7,
      stored: [],
      previousClose: null,
      from: T0,
      to: T0 + 3 * MINUTE,
      intervalMs: MINUTE,
      limit: 500,
      ...changes,
    });

  it('starts at 0.5 and carries the last close through empty buckets', () => {
    const stored = candlesOfTrade(trade(T0 + MINUTE, 600_000), 500_000).slice(0, 1);
    expect(build({ stored })).toEqual([flat(T0, 500_000), stored[0], flat(T0 + 2 * MINUTE, 600_000)]);
    expect(build({ previousClose: 700_000 })[0]).toEqual(flat(T0, 700_000));
  });

  it('keeps the newest candles, which still know what came before them', () => {
    const stored = candlesOfTrade(trade(T0, 600_000), 500_000).slice(0, 1);
    expect(build({ stored, limit: 1 })).toEqual([flat(T0 + 2 * MINUTE, 600_000)]);
  });

  it('is empty for an empty window', () => {
    expect(build({ to: T0 })).toEqual([]);
    expect(build({ to: T0 - HOUR })).toEqual([]);
  });

  it('makes the same candles as the trades themselves would, for every interval', () => {
    const moves = fc.array(
      fc.record({
        pause: fc.integer({ min: 0, max: 3 * HOUR }),
        price: fc.integer({ min: 0, max: 1_000_000 }),
        notional: fc.bigInt({ min: 0n, max: 1_000n }),
      }),
      { maxLength: 40 },
    );
    const interval = fc.constantFrom(...Object.values(INTERVALS_MS));
    fc.assert(
      fc.property(moves, interval, fc.integer({ min: 1, max: 50 }), (steps, intervalMs, limit) => {
        let time = T0 + 12_345;
        const trades = steps.map(({ pause, price, notional }) => trade((time += pause), price, notional));
        const window = historyWindow({
          createdAt: T0 + 12_345,
          now: time,
          startTime: null,
          endTime: null,
          intervalMs,
          limit,
        });
        const stored = storedBuckets(trades).get(storedLengthFor(intervalMs)) ?? [];
        const inside = stored.filter((candle) => candle.time >= window.from && candle.time < window.to);
        const previousClose = stored.filter((candle) => candle.time < window.from).at(-1)?.close ?? null;
        const built = buildCandles({
          marketId: 7,
          stored: inside,
          previousClose,
          ...window,
          intervalMs,
          limit,
        });
        expect(built).toEqual(fromTrades(trades, window, intervalMs));
        expect(built.length <= limit).toBe(true);
        expect(built.at(-1)?.close).toBe(trades.at(-1)?.yesPriceAfter ?? 500_000);
      }),
    );
  });
});

type PlainTrade = ReturnType<typeof trade>;

function storedBuckets(trades: PlainTrade[]): Map<number, Candle[]> {
  const rows = new Map<number, Candle[]>(STORED_LENGTHS_MS.map((resolution) => [resolution, []]));
  let price = 500_000;
  for (const one of trades) {
    for (const candle of candlesOfTrade(one, price)) {
      const buckets = rows.get(candle.lengthMs) ?? [];
      const last = buckets.at(-1);
      if (last?.time === candle.time) buckets[buckets.length - 1] = mergeCandle(last, candle);
      else buckets.push(candle);
    }
    price = one.yesPriceAfter;
  }
  return rows;
}

function fromTrades(
  trades: PlainTrade[],
  window: { from: number; to: number },
  intervalMs: number,
): Candle[] {
  const candles: Candle[] = [];
  for (let time = window.from; time < window.to; time += intervalMs) {
    const open = trades.filter((one) => one.createdAt < time).at(-1)?.yesPriceAfter ?? 500_000;
    const inside = trades.filter((one) => one.createdAt >= time && one.createdAt < time + intervalMs);
    const prices = [open, ...inside.map((one) => one.yesPriceAfter)];
    candles.push({
      ...flat(time, open, intervalMs),
      high: Math.max(...prices),
      low: Math.min(...prices),
      close: prices.at(-1) ?? open,
      volume: inside.reduce((sum, one) => sum + one.notional, 0n),
      trades: inside.length,
    });
  }
  return candles;
}
