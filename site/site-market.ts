import type { Operations } from '../src/index';

/** The operations that the pages need. A `PredictionMarket` has them. */
export type SiteMarket = Pick<
  Operations,
  'listMarkets' | 'getMarket' | 'listTrades' | 'getPrice' | 'getPriceHistory'
>;
