import type { PricingRule } from '../domain/pricing';
import type { CreatedMarkets } from '../ports/storage';
import { usd } from './format';
import { marketView, type MarketView } from './market';

export interface MarketEarningsView extends MarketView {
  /** What the creator has earned on this market, USD. */
  fees: number;
}

export interface EarningsView {
  markets: MarketEarningsView[];
  /** What the creator has earned on all markets, also on those of other pages, USD. */
  fees: number;
  /** How many rows there are on all pages together. */
  total: number;
  /** How many rows a page has at most. */
  limit: number;
  /** How many rows before this page were skipped. */
  offset: number;
}

export function earningsView(
  { markets, total, fees }: CreatedMarkets,
  pricing: PricingRule,
  now: number,
): Pick<EarningsView, 'markets' | 'fees' | 'total'> {
  return {
    markets: markets.map((market) =>
      Object.assign(marketView(market, pricing, now), { fees: usd(market.creatorFees) }),
    ),
    fees: usd(fees),
    total,
  };
}
