import type { PricingRule } from '../../domain/pricing';
import type { Market, MarketStatus } from '../../domain/types';
import type { MarketTotal } from '../../ports/storage';

/**
 * What the totals change by when a market moves on. A resolved market is no exposure any more (docs/specification.md "House risk"): what
 * it cost the treasury has been paid.
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
