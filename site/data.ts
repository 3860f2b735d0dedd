import type { MarketDetailView, MarketView, PriceHistoryView, PriceView } from '../src/index';
import type { MarketData } from './pages/market-data';
import { chartWindow, type RangeName } from './chart-ranges';
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
  const [history, { trades }, decision] = await Promise.all([
    chartHistory(market, found, range, now),
    market.listTrades({ market: found.id, limit: RECENT_TRADES }),
    found.status === 'open' ? null : decisionOf(market, found.id),
  ]);
  return { market: found, history, trades, decision };
}

async function decisionOf(market: SiteMarket, id: number): Promise<MarketData['decision']> {
  const [resolution, progress] = await Promise.all([
    market.getMarketResolution(id),
    market.getResolutionProgress(id),
  ]);
  return { resolution, progress };
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

/** The most traded other open markets of the same category. */
export async function relatedMarkets(
  market: SiteMarket,
  { id, category }: MarketDetailView,
): Promise<MarketView[]> {
  const { markets } = await market.listMarkets({
    status: 'open',
    category,
    sort: 'volume_desc',
    limit: MOST_RELATED + 1,
  });
  return markets.filter((other) => other.id !== id).slice(0, MOST_RELATED);
}

/** Texts of the query become numbers here. `getPrice` checks their values. */
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
