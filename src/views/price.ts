import type { CandleInterval } from '../domain/candles';
import type { DisplayPrices } from '../domain/market';
import { displayLiquidity } from '../domain/market';
import type { Quote } from '../domain/trade';
import type { Candle, Market, Side, TradeAction } from '../domain/types';
import { isoTime, price, usd, usdPerShare } from './format';

export interface QuoteView {
  /** The side of the shares; a share pays 1 USD if its side wins. */
  side: Side;
  /** Whether the shares are bought or sold. */
  action: TradeAction;
  /** How many shares would be traded, with at most 6 decimals. */
  shares: number;
  /** Effective price per share, before the fee. */
  pricePerShare: number;
  /** What a buyer would pay, with the fee, or what a seller would receive, after the fee, USD. */
  totalCost: number;
  /** The creator's fee, USD. */
  fee: number;
  /** Price of YES after such a trade. */
  yesPriceAfter: number;
  /** Price of NO after such a trade. */
  noPriceAfter: number;
  /** Price of the side after such a trade, less its price now. */
  priceImpact: number;
}

export interface PriceView {
  /** The number of the market. */
  marketId: number;
  /** Price of YES. */
  yesPrice: number;
  /** Price of NO. */
  noPrice: number;
  /** What the pool would pay if every holder sold now, USD. */
  liquidity: number;
  /** The moment of these prices, ISO 8601. */
  asOf: string;
  /** null if the request names no amount and no shares. */
  quote: QuoteView | null;
}

export interface CandleView {
  /** Start of the interval, ISO 8601. */
  time: string;
  /** The price of YES at the beginning of the interval. */
  open: number;
  /** The highest price of YES in the interval. */
  high: number;
  /** The lowest price of YES in the interval. */
  low: number;
  /** The price of YES at the end of the interval, or now. */
  close: number;
  /** Trade volume before fees, USD. */
  volume: number;
  /** How many trades there were in the interval. */
  trades: number;
}

export interface PriceHistoryView {
  /** The number of the market. */
  marketId: number;
  /** How long each candle is. */
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
