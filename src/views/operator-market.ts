/** A market as operators see it in a list: the public fields, and how far its resolution has come. */
import type { ResolutionState } from '../domain/oracle/resolution-state';
import type { PricingRule } from '../domain/pricing';
import type { MarketRecord } from '../ports/storage';
import { marketDetailView, type MarketDetailView } from './market';
import { resolutionProgressView, type ResolutionProgressView } from './resolution-progress';

export interface OperatorMarketView extends MarketDetailView {
  /** `null` while the market is open, and after it was resolved. */
  progress: ResolutionProgressView | null;
}

export interface OperatorMarketListView {
  markets: OperatorMarketView[];
  total: number;
  limit: number;
  offset: number;
}

export function operatorMarketView(
  market: MarketRecord,
  state: ResolutionState | null,
  pricing: PricingRule,
  now: number,
): OperatorMarketView {
  return { ...marketDetailView(market, pricing, now), progress: resolutionProgressView(market, state) };
}
