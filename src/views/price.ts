import type { CandleInterval } from '../domain/candles';
import type { DisplayPrices } from '../domain/market';
import { displayLiquidity } from '../domain/market';
import type { Quote } from '../domain/trade';
import type { Candle, Market, Side, TradeAction } from '../domain/types';
import { isoTime, price, usd, usdPerShare } from './format';

export interface QuoteView {
  side: Side;
  action: TradeAction;
  shares: number;
  pricePerShare: number;
  totalCost: number;
  fee: number;
  yesPriceAfter: number;
  noPriceAfter: number;
  priceImpact: number;
}

export interface PriceView {
  marketId: number;
  yesPrice: number;
  noPrice: number;
  liquidity: number;
  asOf: string;
  quote: QuoteView | null;
}

export interface CandleView {
  time: string;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
  trades: number;
}

export interface PriceHistoryView {
  marketId: number;
  interval: CandleInterval;
  candles: CandleView[];
}

export function priceView(
  market: Market,
  prices: DisplayPrices,
  quote: Quote | null,
  now: number,
): PriceView {
  return {
    marketId: market.id,
    yesPrice: price(prices.yes),
    noPrice: price(prices.no),
    liquidity: usd(displayLiquidity(market)),
    asOf: isoTime(now),
    quote: quote === null ? null : quoteView(quote),
  };
}

function quoteView(quote: Quote): QuoteView {
  const { side, action, shares, notional, totalCost, fee, pricesBefore, pricesAfter } = quote;
  const impact = side === 'YES' ? pricesAfter.yes - pricesBefore.yes : pricesAfter.no - pricesBefore.no;
  return {
    side,
    action,
    shares: usd(shares),
    pricePerShare: usdPerShare(notional, shares),
    totalCost: usd(totalCost),
    fee: usd(fee),
    yesPriceAfter: price(pricesAfter.yes),
    noPriceAfter: price(pricesAfter.no),
    priceImpact: price(impact),
  };
}

export function candleView(candle: Candle): CandleView {
  return {
    time: isoTime(candle.time),
    open: price(candle.open),
    high: price(candle.high),
    low: price(candle.low),
    close: price(candle.close),
    volume: usd(candle.volume),
    trades: candle.trades,
  };
}
