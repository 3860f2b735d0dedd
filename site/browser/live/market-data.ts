/** What a message changes in the data of a page. Pure. */
import type { EventMap, MarketView } from '../../../src/index';
import type { MarketData } from '../../pages/market-data';
import { stepMsOf } from '../../chart-ranges';
import type { ChannelEvent } from '../../../src/client/live/server-messages';

/** As many as `RECENT_TRADES` in site/data.ts. */
const MOST_TRADES = 20;

/** Whether the message reports a step of the resolution. The page then reads its data again. */
export function changesDecision({ event }: ChannelEvent): boolean {
  return event === 'market.proposed' || event === 'market.escalated';
}

export function applyToMarket(data: MarketData, { event, data: told }: ChannelEvent): MarketData {
  if (event === 'trade') return withTrade(data, told as EventMap['trade']);
  if (!event.startsWith('market.')) return data;
  const { status } = told as EventMap['market.resolving'];
  return { ...data, market: { ...data.market, status } };
}

function withTrade(data: MarketData, trade: EventMap['trade']): MarketData {
  const { yesPrice, noPrice, volume, liquidity, ...row } = trade;
  // The data may contain the trade already.
  const others = data.trades.filter(({ id }) => id !== row.id);
  const trades = [...others, row].sort((left, right) => right.id - left.id).slice(0, MOST_TRADES);
  return {
    ...data,
    market: { ...data.market, yesPrice, noPrice, volume, liquidity },
    history: { ...data.history, candles: withPrice(data, trade, others.length === data.trades.length) },
    trades,
  };
}

function withPrice({ market, history }: MarketData, trade: EventMap['trade'], isNew: boolean) {
  const { yesPrice, createdAt, volume } = trade;
  const { candles } = history;
  const last = candles.at(-1);
  if (last === undefined || Date.parse(createdAt) < Date.parse(last.time)) return candles;
  const high = Math.max(last.high, yesPrice);
  const low = Math.min(last.low, yesPrice);
  // If the data had the trade already, the candle contains it.
  const more = isNew
    ? { volume: last.volume + Math.max(0, volume - market.volume), trades: last.trades + 1 }
    : {};
  return [...candles.slice(0, -1), { ...last, ...more, high, low, close: yesPrice }];
}

/** Whether the trade belongs in a candle that the data do not have yet. */
export function isChartBehind({ history }: MarketData, createdAt: string): boolean {
  const last = history.candles.at(-1);
  return last === undefined || Date.parse(createdAt) >= Date.parse(last.time) + stepMsOf(history.interval);
}

/** Applies a message `price` to its market in the list. Other messages change nothing. */
export function applyToList(markets: readonly MarketView[], { event, data }: ChannelEvent): MarketView[] {
  if (event !== 'price') return [...markets];
  const { marketId, ...figures } = data as EventMap['price'];
  return markets.map((market) => (market.id === marketId ? { ...market, ...figures } : market));
}
