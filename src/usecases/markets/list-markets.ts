import { searchTerms } from '../../domain/search';
import { marketView, type MarketListView } from '../../views/market';
import type { ListMarketsCommand } from '../commands';
import type { Context } from '../context';

/** A page of markets. `total` counts all markets that match. No market matches an unknown category. */
export async function listMarkets(context: Context, command: ListMarketsCommand): Promise<MarketListView> {
  const { status, category, q, sort, limit, offset } = command;
  const now = context.clock.now();
  const page = await context.storage.read((reader) =>
    reader.markets.list({
      status: status ?? undefined,
      category: category?.toLowerCase(),
      words: q === null ? undefined : searchTerms(q),
      sort,
      limit,
      offset,
      now,
    }),
  );
  const markets = page.markets.map((market) => marketView(market, context.pricing, now));
  return { markets, total: page.total, limit, offset };
}
