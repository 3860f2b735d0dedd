/** A market as operators see it in a list: the public fields, and how far its resolution has come. */
import type { ResolutionState } from '../domain/oracle/resolution-state';
import type { PricingRule } from '../domain/pricing';
import type { MarketRecord } from '../ports/storage';
import { marketDetailView, type MarketDetailView } from './market';
import { resolutionProgressView, type ResolutionProgressView } from './resolution-progress';

export interface OperatorMarketView extends MarketDetailView {
  /** null until the market is closed, and once it is resolved. */
  progress: ResolutionProgressView | null;
}

export interface OperatorMarketListView {
  markets: OperatorMarketView[];
  /** How many rows there are on all pages together. */
  total: number;
  /** How many rows a page has at most. */
  limit: number;
  /** How many rows before this page were skipped. */
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
