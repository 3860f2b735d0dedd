import type { PricingRule } from '../domain/pricing';
import type { CreatedMarkets } from '../ports/storage';
import { usd } from './format';
import { marketView, type MarketView } from './market';

export interface MarketEarningsView extends MarketView {
  fees: number;
}

export interface EarningsView {
  markets: MarketEarningsView[];
  /** The fees of all markets, also of those on other pages. */
  fees: number;
  total: number;
  limit: number;
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
