import { searchTerms } from '../../domain/search-terms';
import type { MarketRecord } from '../../ports/storage';
import { marketView, type MarketListView } from '../../views/market';
import type { ListMarketsCommand } from '../commands';
import type { Context } from '../context';

export async function listMarkets(context: Context, command: ListMarketsCommand): Promise<MarketListView> {
  const { markets, total, now } = await readMarkets(context, command);
  const { limit, offset } = command;
  return { markets: markets.map((market) => marketView(market, context.pricing, now)), total, limit, offset };
}

/**
 * Like `listMarkets`, but resolves with the list as JSON text. `textOf` returns the JSON text of one market
 * (`marketTexts`).
 */
export async function listMarketsText(
  context: Context,
  command: ListMarketsCommand,
  textOf: (market: MarketRecord, now: number) => string,
): Promise<string> {
  const { markets, total, now } = await readMarkets(context, command);
  const texts = markets.map((market) => textOf(market, now));
  const { limit, offset } = command;
  return `{"markets":[${texts.join(',')}],"total":${total},"limit":${limit},"offset":${offset}}`;
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
