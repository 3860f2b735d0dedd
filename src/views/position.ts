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
  marketId: number;
  tickerId: string;
  slug: string;
  question: string;
  status: 'open' | 'closed';
  side: Side;
  shares: number;
  avgPrice: number;
  costBasis: number;
  currentPrice: number;
  currentValue: number;
  unrealizedPnl: number;
  realizedPnl: number;
  feesPaid: number;
  maxPayout: number;
}

export interface PositionListView {
  positions: PositionView[];
  total: number;
  limit: number;
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
