import { searchTerms } from '../../domain/search';
import type { MarketRecord } from '../../ports/storage';
import { marketView, type MarketListView } from '../../views/market';
import type { MarketPage } from '../../views/market-texts';
import type { ListMarketsCommand } from '../commands';
import type { Context } from '../context';

/** A page of markets. `total` counts all markets that match. No market matches an unknown category. */
export async function listMarkets(context: Context, command: ListMarketsCommand): Promise<MarketListView> {
  const { markets, total, now } = await readMarkets(context, command);
  const { limit, offset } = command;
  return { markets: markets.map((market) => marketView(market, context.pricing, now)), total, limit, offset };
}

/** A page of markets that is not shown yet, for a writer that keeps what it has written. */
export async function readMarketPage(context: Context, command: ListMarketsCommand): Promise<MarketPage> {
  const { limit, offset } = command;
  return { ...(await readMarkets(context, command)), limit, offset };
}

async function readMarkets(
  { storage, clock }: Context,
  { status, category, q, sort, limit, offset }: ListMarketsCommand,
): Promise<{ markets: MarketRecord[]; total: number; now: number }> {
  const now = clock.now();
  const page = await storage.read((reader) =>
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
  return { ...page, now };
}
