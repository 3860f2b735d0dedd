import type { Reader } from '../../ports/storage';
import { marketFeedView, type MarketFeedView } from '../../views/market-feed';
import type { MarketFeedCommand } from '../commands';
import type { Context } from '../context';

const HOUR_MS = 3_600_000;
/** The volume of 24 hours is the sum of 24 hourly candles: the current one, and this many before it. */
const BUCKETS_BEFORE = 23;

export async function getMarketFeed(context: Context, command: MarketFeedCommand): Promise<MarketFeedView> {
  return context.storage.snapshot((reader) => readMarketFeed(reader, context, command));
}

export async function readMarketFeed(
  reader: Pick<Reader, 'markets' | 'candles' | 'events'>,
  { clock, pricing }: Context,
  { category, limit }: MarketFeedCommand,
): Promise<MarketFeedView> {
  const now = clock.now();
  const { markets, total } = await reader.markets.list({
    status: 'open',
    category: category?.toLowerCase(),
    sort: 'volume_desc',
    limit,
    offset: 0,
    now,
  });
  const volumes24h = await reader.candles.volumes({
    marketIds: markets.map(({ id }) => id),
    lengthMs: HOUR_MS,
    from: now - (now % HOUR_MS) - BUCKETS_BEFORE * HOUR_MS,
  });
  const seq = await reader.events.head();
  return marketFeedView({ markets, openMarkets: total, volumes24h, seq }, pricing, now);
}
