import type { PricingRule } from '../../domain/pricing';
import type { Market, MarketStatus } from '../../domain/types';
import type { MarketTotal } from '../../ports/storage';

/**
 * How the totals change when a market changes its status. A resolved market adds no exposure
 * (docs/specification.md "House risk"): the treasury has already paid its cost.
 */
export function totalsMove(
  market: Pick<Market, 'category' | 'liquidityParameter'>,
  from: MarketStatus,
  to: MarketStatus,
  pricing: PricingRule,
): MarketTotal[] {
  const { category } = market;
  const worst = pricing.worstLoss(market.liquidityParameter);
  return [
    { status: from, category, markets: -1, exposure: -worst },
    { status: to, category, markets: 1, exposure: to === 'resolved' ? 0n : worst },
  ];
}
