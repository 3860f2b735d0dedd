/**
 * Positions in JSON, with profit and loss by average cost, net of fees (docs/specification.md "Positions").
 */
import { displayPrices, tickerId } from '../domain/market';
import { feeOn } from '../domain/money';
import { payoutOf } from '../domain/resolution';
import type { TradeRules } from '../domain/trade';
import type { Market, Position, Side } from '../domain/types';
import type { PositionRecord } from '../ports/storage';
import { price, usd, usdPerShare } from './format';

export interface PositionView {
  /** The number of the market. */
  marketId: number;
  /** The readable number of the market. */
  tickerId: string;
  /** The name of the market in addresses, made from its question. */
  slug: string;
  /** The question of the market. */
  question: string;
  /** open while the wallet holds shares. */
  status: 'open' | 'closed';
  /** The side of the shares; a share pays 1 USD if its side wins. */
  side: Side;
  /** How many shares the wallet holds, with at most 6 decimals. */
  shares: number;
  /** costBasis / shares, USD. */
  avgPrice: number;
  /** Paid for the shares still held, fees included, USD. */
  costBasis: number;
  /** Price of the side. */
  currentPrice: number;
  /**
   * What selling the whole position now would bring after the fee, or its payout once the market is resolved,
   * USD.
   */
  currentValue: number;
  /** currentValue - costBasis, USD. */
  unrealizedPnl: number;
  /** Net proceeds and payouts, less the cost of the shares that were sold or paid out, USD. */
  realizedPnl: number;
  /** Fees so far, USD. */
  feesPaid: number;
  /** Payout if the side wins, USD. */
  maxPayout: number;
}

export interface PositionListView {
  positions: PositionView[];
  /** How many rows there are on all pages together. */
  total: number;
  /** How many rows a page has at most. */
  limit: number;
  /** How many rows before this page were skipped. */
  offset: number;
}

/**
 * The value of a position in micro-USD: the payout on a resolved market, else the net proceeds of selling the whole
 * position now.
 */
export function positionValue(position: Position, market: Market, rules: TradeRules): bigint {
  if (position.shares === 0n) return 0n;
  if (market.resolution !== null) return payoutOf(position, market.resolution.outcome);
  const proceeds = rules.pricing.sellProceeds(market, position.side, position.shares);
  return proceeds - feeOn(proceeds, rules.feeBasisPoints);
}

export function positionView(position: PositionRecord, rules: TradeRules): PositionView {
  const { market, side, shares, costBasis } = position;
  const prices = displayPrices(market, rules.pricing);
  const value = positionValue(position, market, rules);
  return {
    marketId: market.id,
    tickerId: tickerId(market.id),
    slug: market.slug,
    question: market.question,
    status: shares > 0n ? 'open' : 'closed',
    side,
    shares: usd(shares),
    avgPrice: usdPerShare(costBasis, shares),
    costBasis: usd(costBasis),
    currentPrice: price(side === 'YES' ? prices.yes : prices.no),
    currentValue: usd(value),
    unrealizedPnl: usd(value - costBasis),
    realizedPnl: usd(position.realizedPnl),
    feesPaid: usd(position.feesPaid),
    maxPayout: usd(shares),
  };
}
