/** Price history: buckets kept at write time in three resolutions, from which every interval is served. */
import type { Candle, NewTrade } from './types';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Lengths of the stored buckets, in milliseconds. */
export const STORED_RESOLUTIONS_MS = [MINUTE_MS, HOUR_MS, DAY_MS] as const;

/** Intervals on offer, in milliseconds. */
export const INTERVALS_MS = {
  '1m': MINUTE_MS,
  '5m': 5 * MINUTE_MS,
  '15m': 15 * MINUTE_MS,
  '1h': HOUR_MS,
  '6h': 6 * HOUR_MS,
  '1d': DAY_MS,
} as const;
export type CandleInterval = keyof typeof INTERVALS_MS;

/** YES price of a market before its first trade, in millionths. */
export const FIRST_PRICE = 500_000;

/** The coarsest stored resolution that an interval is made of. RangeError when there is none. */
export function storedResolutionFor(intervalMs: number): number {
  const resolution = STORED_RESOLUTIONS_MS.findLast((candidate) => intervalMs % candidate === 0);
  if (resolution === undefined || intervalMs <= 0) throw new RangeError(`No candles of ${intervalMs} ms`);
  return resolution;
}

type TradeOfCandle = Pick<NewTrade, 'marketId' | 'notional' | 'yesPriceAfter' | 'createdAt'>;

/** The stored buckets that a trade adds to: each opens with the price before the trade, which is the last close. */
export function candlesOfTrade(trade: TradeOfCandle, yesPriceBefore: number): Candle[] {
  return inEveryResolution(shortestCandle(trade, yesPriceBefore));
}

/** The shortest of the buckets that a trade adds to: the others follow from it, also once it was merged. */
export function shortestCandle(trade: TradeOfCandle, yesPriceBefore: number): Candle {
  return {
    marketId: trade.marketId,
    resolutionMs: MINUTE_MS,
    time: floorTo(trade.createdAt, MINUTE_MS),
    open: yesPriceBefore,
    high: Math.max(yesPriceBefore, trade.yesPriceAfter),
    low: Math.min(yesPriceBefore, trade.yesPriceAfter),
    close: trade.yesPriceAfter,
    volume: trade.notional,
    trades: 1,
  };
}

/** What a shortest candle adds to each of the stored buckets that hold it: their lengths are multiples of its own. */
export function inEveryResolution(shortest: Candle): Candle[] {
  return STORED_RESOLUTIONS_MS.map((resolutionMs) => ({
    ...shortest,
    resolutionMs,
    time: floorTo(shortest.time, resolutionMs),
  }));
}

/** Joins a later candle into an earlier one of the same bucket (or of a longer one that holds both). */
export function mergeCandle(earlier: Candle, later: Candle): Candle {
  // Field by field: spreading takes several times as long, and each trade is merged.
  return {
    marketId: earlier.marketId,
    resolutionMs: earlier.resolutionMs,
    time: earlier.time,
    open: earlier.open,
    high: Math.max(earlier.high, later.high),
    low: Math.min(earlier.low, later.low),
    close: later.close,
    volume: earlier.volume + later.volume,
    trades: earlier.trades + later.trades,
  };
}

export interface HistoryRequest {
  /** The market's creation: its bucket is the first there is. */
  createdAt: number;
  now: number;
  /** Inclusive and exclusive bounds on the start of a bucket; `null`: creation, now. */
  startTime: number | null;
  endTime: number | null;
  intervalMs: number;
  limit: number;
}

export interface HistoryWindow {
  /** Start of the first bucket; a multiple of the interval. */
  from: number;
  /** Start of the first bucket that is left out; a multiple of the interval. Not above `from`: an empty answer. */
  to: number;
}

/**
 * The buckets to answer with. The one that holds the creation belongs to it although it starts earlier, and so
 * does the one that holds `now`; none lies in the future. The limit keeps the newest.
 */
export function historyWindow(request: HistoryRequest): HistoryWindow {
  const { intervalMs } = request;
  const first = floorTo(request.createdAt, intervalMs);
  const start = request.startTime === null ? first : Math.max(first, ceilTo(request.startTime, intervalMs));
  const afterNow = floorTo(request.now, intervalMs) + intervalMs;
  const to = request.endTime === null ? afterNow : Math.min(afterNow, ceilTo(request.endTime, intervalMs));
  return { from: Math.max(start, to - request.limit * intervalMs), to };
}

/**
 * One candle a bucket of [from, to), ascending; the newest `limit` of them. `stored` are buckets of a resolution
 * that divides the interval, ascending. A bucket without trades carries the last close with volume 0.
 * `previousClose` is the close before `from`; it may be `null` when nothing was traded before, and when anything is
 * stored: that opens with the close before it. Bounds that are no multiples of the interval are rounded up to the
 * next one.
 */
export function buildCandles(request: {
  marketId: number;
  stored: readonly Candle[];
  previousClose: number | null;
  from: number;
  to: number;
  intervalMs: number;
  limit: number;
}): Candle[] {
  const { marketId, stored, intervalMs } = request;
  const to = ceilTo(request.to, intervalMs);
  const from = Math.max(ceilTo(request.from, intervalMs), to - request.limit * intervalMs);
  const firstInside = stored.findIndex((part) => part.time >= from);
  let next = firstInside === -1 ? stored.length : firstInside;
  let close = stored[next - 1]?.close ?? request.previousClose ?? stored[next]?.open ?? FIRST_PRICE;
  const candles: Candle[] = [];
  for (let time = from; time < to; time += intervalMs) {
    let candle = emptyCandle(marketId, intervalMs, time, close);
    for (
      let part = stored[next];
      part !== undefined && part.time < time + intervalMs;
      part = stored[++next]
    ) {
      candle = mergeCandle(candle, part);
    }
    candles.push(candle);
    close = candle.close;
  }
  return candles;
}

function emptyCandle(marketId: number, resolutionMs: number, time: number, price: number): Candle {
  const prices = { open: price, high: price, low: price, close: price };
  return { marketId, resolutionMs, time, ...prices, volume: 0n, trades: 0 };
}

function floorTo(time: number, lengthMs: number): number {
  return Math.floor(time / lengthMs) * lengthMs;
}

function ceilTo(time: number, lengthMs: number): number {
  return Math.ceil(time / lengthMs) * lengthMs;
}
