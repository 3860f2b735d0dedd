import { PredictionMarketError } from '../../domain/errors';
import { parseMarketReference } from '../../domain/market';
import type { MarketRecord, Storage } from '../../ports/storage';
import { createBatchedLookup } from '../batched-lookup';
import type { MarketReference } from '../commands';
import type { MarketLookup } from '../context';

/**
 * Finds markets by id, ticker or slug. Look-ups of one turn of the event loop share at most two queries: one by id or
 * ticker, and one by slug. Nothing is cached.
 */
export function createMarketLookup(storage: Storage): MarketLookup {
  const byId = createBatchedLookup(async (ids: readonly number[]) => {
    const found = await storage.read((reader) => reader.markets.findByIds(ids));
    return new Map(found.map((market) => [market.id, market]));
  });
  const bySlug = createBatchedLookup(async (slugs: readonly string[]) => {
    const found = await storage.read((reader) => reader.markets.findBySlugs(slugs));
    return new Map(found.map((market) => [market.slug, market]));
  });
  const lookUp = (reference: MarketReference): Promise<MarketRecord | undefined> | undefined => {
    const parsed = parseMarketReference(reference);
    if (parsed === null) return undefined;
    return parsed.kind === 'id' ? byId.find(parsed.id) : bySlug.find(parsed.slug);
  };
  return {
    find: async (reference) => {
      const market = await lookUp(reference);
      if (market === undefined) throw marketNotFound(reference);
      return market;
    },
  };
}

export function marketNotFound(reference: MarketReference): PredictionMarketError {
  return new PredictionMarketError('MARKET_NOT_FOUND', `No market has the id, ticker or slug "${reference}"`);
}
