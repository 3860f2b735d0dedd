/**
 * The price history. Candles of three lengths are stored as trades happen, and the candles of every interval
 * are built from them.
 */
import type { Candle, NewTrade } from './types';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export const STORED_LENGTHS_MS = [MINUTE_MS, HOUR_MS, DAY_MS] as const;

export const INTERVALS_MS = {
  '1m': MINUTE_MS,
  '5m': 5 * MINUTE_MS,
  '15m': 15 * MINUTE_MS,
  '1h': HOUR_MS,
  '6h': 6 * HOUR_MS,
  '1d': DAY_MS,
} as const;
export type CandleInterval = keyof typeof INTERVALS_MS;
export const CANDLE_INTERVALS = Object.keys(INTERVALS_MS) as readonly CandleInterval[];

/** The YES price of a market before its first trade, in millionths. */
export const FIRST_PRICE = 500_000;

/** The longest stored candle length that divides the interval. Throws a RangeError when there is none. */
export function storedLengthFor(intervalMs: number): number {
  const lengthMs = STORED_LENGTHS_MS.findLast((candidate) => intervalMs % candidate === 0);
  if (lengthMs === undefined || intervalMs <= 0) throw new RangeError(`No candles of ${intervalMs} ms`);
  return lengthMs;
}

type TradeOfCandle = Pick<NewTrade, 'marketId' | 'notional' | 'yesPriceAfter' | 'createdAt'>;

/** The stored candles of a single trade. They open with the price before the trade. */
export function candlesOfTrade(trade: TradeOfCandle, yesPriceBefore: number): Candle[] {
  return inEveryLength(shortestCandle(trade, yesPriceBefore));
}

/** The one-minute candle of a single trade. It opens with the price before the trade. */
export function shortestCandle(trade: TradeOfCandle, yesPriceBefore: number): Candle {
  return {
    marketId: trade.marketId,
    lengthMs: MINUTE_MS,
    time: floorTo(trade.createdAt, MINUTE_MS),
    open: yesPriceBefore,
    high: Math.max(yesPriceBefore, trade.yesPriceAfter),
    low: Math.min(yesPriceBefore, trade.yesPriceAfter),
    close: trade.yesPriceAfter,
    volume: trade.notional,
    trades: 1,
  };
}

/** Turns a one-minute candle into one candle of each stored length. */
export function inEveryLength(shortest: Candle): Candle[] {
  return STORED_LENGTHS_MS.map((lengthMs) => ({
    ...shortest,
    lengthMs,
    time: floorTo(shortest.time, lengthMs),
  }));
}

/**
 * Merges a later candle into an earlier one of the same interval, or of a longer interval that contains it.
 */
export function mergeCandle(earlier: Candle, later: Candle): Candle {
  return {
    marketId: earlier.marketId,
    lengthMs: earlier.lengthMs,
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
  /** When the market was created. No candle ends before this instant. */
  createdAt: number;
  now: number;
  /**
   * The bounds on the start of a candle: `startTime` is inclusive, and `endTime` is exclusive. `null` stands for no
   * bound.
   */
  startTime: number | null;
  endTime: number | null;
  intervalMs: number;
  limit: number;
}

export interface HistoryWindow {
  /** The start of the first candle; a multiple of the interval. */
  from: number;
  /**
   * The start of the first candle after the answer; a multiple of the interval. The answer is empty if `to` is
   * not above `from`.
   */
  to: number;
}

/**
 * Where the candles of an answer begin and end. The first candle may contain the creation of the market, and
 * the last one may contain `now`. No candle begins after `now`. If more than `limit` candles fit, the window
 * contains the newest ones.
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
 * One candle for each interval of [from, to), ascending, and at most the newest `limit` of them.
 *
 * - `stored` are candles of a length that divides the interval, ascending.
 * - An interval without trades repeats the last close with volume 0.
 * - `previousClose` is the close before `from`. `null` is allowed when there was no trade before `from`, or
 *   when `stored` is not empty, because the first stored candle opens with the previous close.
 * - `from` and `to` are rounded up to multiples of the interval.
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

function emptyCandle(marketId: number, lengthMs: number, time: number, price: number): Candle {
  const prices = { open: price, high: price, low: price, close: price };
  return { marketId, lengthMs, time, ...prices, volume: 0n, trades: 0 };
}

function floorTo(time: number, lengthMs: number): number {
  return Math.floor(time / lengthMs) * lengthMs;
}

function ceilTo(time: number, lengthMs: number): number {
  return Math.ceil(time / lengthMs) * lengthMs;
}
