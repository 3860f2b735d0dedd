import {
  buildCandles,
  historyWindow,
  INTERVALS_MS,
  storedLengthFor,
  type HistoryWindow,
} from '../../domain/candles';
import { factTime } from '../../domain/market';
import type { Candle, Market } from '../../domain/types';
import { candleView, type PriceHistoryView } from '../../views/price';
import type { PriceHistoryCommand } from '../commands';
import type { Context } from '../context';

/**
 * Candles of the YES price, ascending: the newest `limit` candles of the range, between the market's creation
 * and now. A candle without trades repeats the last close. Rejects with MARKET_NOT_FOUND.
 */
export async function getPriceHistory(
  context: Context,
  command: PriceHistoryCommand,
): Promise<PriceHistoryView> {
  const market = await context.markets.find(command.market);
  const { interval, startTime, endTime, limit } = command;
  const intervalMs = INTERVALS_MS[interval];
  // The clock of another instance may be ahead of this one. The history includes trades with such later times.
  const now = factTime(market, context.clock.now());
  const { createdAt } = market;
  const window = historyWindow({ createdAt, now, startTime, endTime, intervalMs, limit });
  const { stored, previousClose } = await storedCandles(context, market, window, intervalMs);
  const candles = buildCandles({
    marketId: market.id,
    stored,
    previousClose,
    ...window,
    intervalMs,
    limit,
  });
  return { marketId: market.id, interval, candles: candles.map(candleView) };
}

interface StoredCandles {
  stored: Candle[];
  previousClose: number | null;
}

async function storedCandles(
  { storage }: Context,
  market: Market,
  { from, to }: HistoryWindow,
  intervalMs: number,
): Promise<StoredCandles> {
  if (to <= from || market.tradeCount === 0) return { stored: [], previousClose: null };
  const series = { marketId: market.id, lengthMs: storedLengthFor(intervalMs) };
  return storage.snapshot(async ({ candles }) => {
    const limit = Math.ceil((to - from) / series.lengthMs);
    const stored = await candles.list({ ...series, from, to, limit });
    // A stored candle opens with the close before it, so the previous close need not be read.
    if (stored.length > 0 || from <= market.createdAt) return { stored, previousClose: null };
    const before = await candles.lastBefore({ ...series, time: from });
    return { stored, previousClose: before?.close ?? null };
  });
}
