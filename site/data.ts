/** Reads the data of the pages from the market. */
import type {
  MarketDetailView,
  MarketResolutionView,
  MarketView,
  PriceHistoryView,
  PriceView,
} from '../src/index';
import type { MarketData } from './pages/market-parts';
import { chartWindow, type RangeName } from './ranges';
import type { SiteMarket } from './site-market';

const RECENT_TRADES = 20;
const MOST_CANDLES = 500;

export async function marketData(
  market: SiteMarket,
  reference: string,
  range: RangeName,
  now: number,
): Promise<MarketData> {
  const found = await market.getMarket(reference);
  const [history, { trades }] = await Promise.all([
    chartHistory(market, found, range, now),
    market.listTrades({ market: found.id, limit: RECENT_TRADES }),
  ]);
  return { market: found, history, trades };
}

export function chartHistory(
  market: SiteMarket,
  { id, createdAt }: MarketDetailView,
  range: RangeName,
  now: number,
): Promise<PriceHistoryView> {
  const { startTime, interval } = chartWindow(range, Date.parse(createdAt), now);
  return market.getPriceHistory({
    market: id,
    interval,
    startTime: new Date(startTime).toISOString(),
    limit: MOST_CANDLES,
  });
}

const MOST_RELATED = 4;

/** How the market is resolved, and the most traded open markets of its category. */
export async function besideMarket(
  market: SiteMarket,
  { id, category }: MarketDetailView,
): Promise<{ resolution: MarketResolutionView; related: MarketView[] }> {
  const [resolution, { markets }] = await Promise.all([
    market.getMarketResolution(id),
    market.listMarkets({ status: 'open', category, sort: 'volume_desc', limit: MOST_RELATED + 1 }),
  ]);
  return { resolution, related: markets.filter((other) => other.id !== id).slice(0, MOST_RELATED) };
}

/** The data of a quote. Texts of the query become numbers here, and the typed method checks their values. */
export function quoteData(market: SiteMarket, query: URLSearchParams): Promise<PriceView> {
  const number = (name: string): number | undefined => {
    const text = query.get(name);
    return text === null || text === '' ? undefined : Number(text);
  };
  const amount = number('amount');
  const shares = number('shares');
  return market.getPrice({
    market: query.get('market') ?? '',
    side: query.get('side') === 'NO' ? 'NO' : 'YES',
    action: query.get('action') === 'sell' ? 'sell' : 'buy',
    ...(amount !== undefined && { amount }),
    ...(shares !== undefined && { shares }),
  });
}
