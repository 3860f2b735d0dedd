/** What the page of a market and its embedded frames show. */
import type {
  MarketDetailView,
  MarketResolutionView,
  PriceHistoryView,
  ResolutionProgressView,
  TradeView,
} from '../../src/index';

export interface MarketData {
  market: MarketDetailView;
  history: PriceHistoryView;
  trades: TradeView[];
  /** `null` while the market trades. */
  decision: { resolution: MarketResolutionView; progress: ResolutionProgressView | null } | null;
}
