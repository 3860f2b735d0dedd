import type { Operations } from '../src/index';

/** The typed methods that the pages need. A `PredictionMarket` has all of them. */
export type SiteMarket = Pick<
  Operations,
  | 'listMarkets'
  | 'getMarket'
  | 'getMarketResolution'
  | 'getResolutionProgress'
  | 'listTrades'
  | 'getPrice'
  | 'getPriceHistory'
  | 'previewMarket'
>;
