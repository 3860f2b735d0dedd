import { searchTerms } from '../../src/domain/search-terms';
import type { Address, Market, MarketStatus } from '../../src/domain/types';
import type { MarketListQuery, MarketSort, Storage } from '../../src/ports/storage';
import type { Suite } from './suite';
import {
  addMarket,
  ALICE,
  BEYOND_DOUBLE,
  BOB,
  CREATOR,
  HOUR,
  NOW,
  recordOf,
  sampleCreator,
  sampleMarket,
} from './samples';
import { RESOLUTION } from './markets';

const SORTS: readonly MarketSort[] = ['volume_desc', 'created_desc', 'resolve_asc'];
const STATUSES: readonly (MarketStatus | undefined)[] = [undefined, 'open', 'resolving', 'resolved'];

/**
 * Adds markets. Some have the same volume or the same date. Some volumes sort differently as texts or as doubles. Some
 * dates are before and some after now.
 */
async function addMarketsToList(storage: Storage): Promise<Market[]> {
  const volumes = [9n, 10n, 100n, 10n, 9n, BEYOND_DOUBLE, BEYOND_DOUBLE - 1n, 0n, 10n, 0n, 100n, 9n, 10n, 2n];
  const statuses: MarketStatus[] = ['open', 'open', 'resolving', 'open', 'resolved'];
  const hours = [5, -1, 3, 0, 5, 3, 100, -2];
  return storage.transaction(async (transaction) => {
    const markets: Market[] = [];
    for (const [index, volume] of volumes.entries()) {
      const market = sampleMarket(await transaction.markets.nextId(), {
        slug: `listed-${index}`,
        question: `Märket ${index}: rain in ${index % 2 === 0 ? 'Lisbon' : 'Lima'}?`,
        category: index % 3 === 0 ? 'sports' : 'crypto',
        status: statuses[index % statuses.length] ?? 'open',
        resolveDate: NOW + (hours[index % hours.length] ?? 0) * HOUR,
        createdAt: NOW + index,
        volume,
      });
      await transaction.markets.insert(market);
      await transaction.markets.addTotals([
        { status: market.status, category: market.category, markets: 1, exposure: 0n },
      ]);
      markets.push(market);
    }
    return markets;
  });
}

/** The expected answer to a list query, computed in the simplest way: filter and sort. */
function expected(markets: readonly Market[], query: MarketListQuery): number[] {
  const shownStatus = (market: Market): MarketStatus =>
    market.status === 'open' && market.resolveDate <= query.now ? 'resolving' : market.status;
  const orders: Record<MarketSort, (a: Market, b: Market) => number> = {
    volume_desc: (a, b) => (a.volume === b.volume ? b.id - a.id : a.volume < b.volume ? 1 : -1),
    created_desc: (a, b) => b.createdAt - a.createdAt,
    resolve_asc: (a, b) => a.resolveDate - b.resolveDate || a.id - b.id,
  };
  return markets
    .filter((market) => query.status === undefined || shownStatus(market) === query.status)
    .filter(({ question }) => hasWords(searchTerms(question), query.words ?? []))
    .filter((market) => query.category === undefined || market.category === query.category)
    .sort(orders[query.sort])
    .map(({ id }) => id);
}

const hasWords = (terms: readonly string[], words: readonly string[]): boolean =>
  words.every((word) => terms.some((term) => term.startsWith(word)));

export function marketListTests({ describe, test }: Suite): void {
  describe('lists of markets', () => {
    for (const sort of SORTS) {
      test(
        `are ordered by ${sort}, with their ties, for every filter and page`,
        ['ties', 'ordered', 'listTotal', 'unknownCategory'],
        async ({ storage, check }) => {
          const markets = await addMarketsToList(storage);
          for (const status of STATUSES) {
            for (const category of [undefined, 'crypto', 'sports', 'unheard-of']) {
              const filter = { ...(status && { status }), ...(category && { category }) };
              const all = expected(markets, { ...filter, sort, now: NOW, limit: 100, offset: 0 });
              for (const page of [
                { limit: 100, offset: 0 },
                { limit: 3, offset: 0 },
                { limit: 3, offset: 2 },
                { limit: 3, offset: 50 },
              ]) {
                const query = { ...filter, ...page, sort, now: NOW };
                const answer = await storage.read((r) => r.markets.list(query));
                const found = { ids: answer.markets.map(({ id }) => id), total: answer.total };
                const ids = all.slice(page.offset, page.offset + page.limit);
                check.equal(
                  found,
                  { ids, total: all.length },
                  `${status} ${category} ${page.offset}+${page.limit}`,
                );
              }
            }
          }
        },
      );
    }

    test(
      'judge what is open by the instant they are given',
      ['openStatus', 'judgedByNow'],
      async ({ storage, check }) => {
        const markets = await addMarketsToList(storage);
        for (const now of [NOW - 10 * HOUR, NOW - 1, NOW, NOW + 4 * HOUR, NOW + 1000 * HOUR]) {
          for (const status of ['open', 'resolving', 'resolved'] as const) {
            const query = { status, sort: 'resolve_asc', now, limit: 100, offset: 0 } as const;
            const answer = await storage.read((r) => r.markets.list(query));
            const ids = expected(markets, query);
            check.equal(
              [answer.markets.map(({ id }) => id), answer.total],
              [ids, ids.length],
              `${status} at ${now}`,
            );
          }
        }
      },
    );

    test(
      'are listed for one creator, newest first, with what all of them have earned',
      'createdMarkets',
      async ({ storage, check }) => {
        // The sum is not a number that a double can hold.
        const fees = [5n, BEYOND_DOUBLE, 0n, 7n];
        const own = [];
        for (const creatorFees of fees) {
          own.unshift(recordOf(await addMarket(storage, { creator: ALICE, creatorFees }), 'Ada'));
          await addMarket(storage, { creator: BOB, creatorFees: 1n });
        }
        await storage.transaction((transaction) =>
          transaction.creators.save(sampleCreator({ address: ALICE, displayName: 'Ada' })),
        );
        const list = (creator: Address, limit: number, offset: number) =>
          storage.read((r) => r.markets.listByCreator({ creator, limit, offset }));
        const whole = { total: 4, fees: BEYOND_DOUBLE + 12n };
        check.equal(await list(ALICE, 10, 0), { markets: own, ...whole }, 'all');
        check.equal(await list(ALICE, 2, 1), { markets: own.slice(1, 3), ...whole }, 'a page');
        check.equal(await list(ALICE, 2, 4), { markets: [], ...whole }, 'after the last one');
        check.equal((await list(BOB, 1, 0)).fees, 4n, 'of another creator');
        check.equal(await list(CREATOR, 10, 0), { markets: [], total: 0, fees: 0n }, 'of no creator');
      },
    );

    test(
      'follow a market whose volume and status change, and show it whole',
      ['listTotal', 'displayName'],
      async ({ storage, check }) => {
        const markets = await addMarketsToList(storage);
        await storage.transaction((transaction) =>
          transaction.creators.save(sampleCreator({ address: CREATOR, displayName: 'Ada' })),
        );
        const [first] = markets;
        if (first === undefined) throw new Error('no markets');
        const changed: Market = { ...first, volume: 50n, status: 'resolved', resolution: RESOLUTION };
        await storage.transaction(async (transaction) => {
          await transaction.markets.update([changed]);
          await transaction.markets.addTotals([
            { status: first.status, category: first.category, markets: -1, exposure: 0n },
            { status: 'resolved', category: first.category, markets: 1, exposure: 0n },
          ]);
        });
        const query = {
          status: 'resolved',
          category: 'sports',
          sort: 'volume_desc',
          now: NOW,
          limit: 9,
          offset: 0,
        } as const;
        const answer = await storage.read((r) => r.markets.list(query));
        const ids = expected([changed, ...markets.slice(1)], query);
        check.equal([answer.markets.map(({ id }) => id), answer.total], [ids, ids.length]);
        check.equal(
          answer.markets.find(({ id }) => id === first.id),
          recordOf(changed, 'Ada'),
          'market',
        );
      },
    );

    test(
      'find questions by the beginnings of all words, with every filter, order and page',
      ['words', 'listTotal', 'ties', 'openStatus'],
      async ({ storage, check }) => {
        const markets = await addMarketsToList(storage);
        for (const text of ['market', 'MÄRK  7', 'rain 1', 'rain lisbon', 'li', 'xyz', 'arket', 'rain xyz']) {
          const words = searchTerms(text);
          for (const status of STATUSES) {
            for (const sort of SORTS) {
              const category = sort === 'created_desc' ? 'crypto' : undefined;
              const query = { words, status, category, sort, now: NOW, limit: 3, offset: 1 };
              const answer = await storage.read((r) => r.markets.list(query));
              const all = expected(markets, query);
              const found = { ids: answer.markets.map(({ id }) => id), total: answer.total };
              check.equal(found, { ids: all.slice(1, 4), total: all.length }, `${text} ${status} ${sort}`);
            }
          }
        }
      },
    );
  });
}
