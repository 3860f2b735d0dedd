import type { Market, MarketStatus } from '../../domain/types';
import type { MarketListQuery, MarketSort, Storage } from '../../ports/storage';
import { atOnce, rolledBack, type Suite } from './suite';
import {
  addMarket,
  BEYOND_DOUBLE,
  CREATOR,
  HOUR,
  NOW,
  recordOf,
  sampleCreator,
  sampleMarket,
} from './samples';

export function marketTests(suite: Suite): void {
  storedMarketTests(suite);
  marketListTests(suite);
  totalTests(suite);
  leaseDueTests(suite);
}

const find = (storage: Storage, ids: number[]) => storage.read((r) => r.markets.findByIds(ids));
const RESOLUTION = {
  outcome: 'VOID',
  resolvedAt: NOW + 9,
  oracleConsensus: 0.875,
  note: 'Zurück\nan alle',
} as const;

function storedMarketTests({ describe, test }: Suite): void {
  describe('markets', () => {
    test('come back as they were stored, by id and by slug', async ({ storage, check }) => {
      const plain = await addMarket(storage, { slug: 'plain' });
      const full = await addMarket(storage, {
        slug: 'full',
        question: 'Gewinnt „Ⅷ“? 会赢吗 🎲',
        description: '# Markdown\n\n- text',
        category: 'sports',
        status: 'resolved',
        resolution: RESOLUTION,
        tradeCount: 12,
        marketSeq: 34,
        dueAt: NOW + 1,
        leaseToken: 5,
        oracleAttempts: 6,
      });
      check.equal(await find(storage, [plain.id]), [recordOf(plain)], 'by id');
      check.equal(await find(storage, [full.id]), [recordOf(full)], 'by id, all fields set');
      check.equal(await storage.read((r) => r.markets.findBySlugs(['full'])), [recordOf(full)], 'by slug');
      const both = await find(storage, [full.id, 999_999, plain.id]);
      check.equal(
        both.map(({ id }) => id).sort((a, b) => a - b),
        [plain.id, full.id],
        'unknown ids are left out',
      );
      const slugs = await storage.read((r) => r.markets.findBySlugs(['none', 'full', 'plain']));
      check.equal(slugs.map(({ slug }) => slug).sort(), ['full', 'plain'], 'unknown slugs are left out');
      check.equal(
        [await find(storage, []), await storage.read((r) => r.markets.findBySlugs([]))],
        [[], []],
        'nothing asked',
      );
    });

    test('show the display name of their creator as it is now', async ({ storage, check }) => {
      const market = await addMarket(storage);
      for (const displayName of ['Ada', null, 'Grace']) {
        await storage.transaction((tx) => tx.creators.save(sampleCreator({ address: CREATOR, displayName })));
        check.equal(await find(storage, [market.id]), [recordOf(market, displayName)]);
      }
    });

    test('get ids of their own', async ({ storage, other, check }) => {
      const ids = await atOnce(20, [storage, await other()], (handle) =>
        handle.transaction((tx) => tx.markets.nextId()),
      );
      check.equal(new Set(ids).size, 20);
    });

    test('are not inserted under a taken slug, and nothing is written', async ({
      storage,
      inspect,
      check,
    }) => {
      const first = await addMarket(storage, { slug: 'wanted' });
      const late = await storage.transaction(async (tx) => {
        const id = await tx.markets.nextId();
        check.equal(
          await tx.markets.insert(sampleMarket(id, { slug: 'wanted', question: 'mine?' })),
          false,
          'taken',
        );
        check.equal((await tx.markets.findByIds([id])).length, 0, 'in the transaction');
        check.equal(
          await tx.markets.insert(sampleMarket(id, { slug: `wanted-${id}` })),
          true,
          'another slug',
        );
        return id;
      });
      check.equal(await storage.read((r) => r.markets.findBySlugs(['wanted'])), [recordOf(first)]);
      check.equal((await find(storage, [late]))[0]?.slug, `wanted-${late}`);
      if (inspect !== null) check.equal((await inspect.market(first.id))?.volume, '0', 'row');
    });

    test('share a slug never, however many want it at once', async ({ storage, other, check }) => {
      const answers = await atOnce(12, [storage, await other()], (handle) =>
        handle.transaction(async (tx) => {
          const market = sampleMarket(await tx.markets.nextId(), { slug: 'contested' });
          return (await tx.markets.insert(market)) ? market.id : null;
        }),
      );
      const winners = answers.filter((id) => id !== null);
      check.equal(winners.length, 1);
      const stored = await storage.read((r) => r.markets.findBySlugs(['contested']));
      check.equal(
        stored.map(({ id }) => id),
        winners,
      );
    });

    test('are locked in ascending order, unknown ids left out', async ({ storage, check }) => {
      const markets = [await addMarket(storage), await addMarket(storage), await addMarket(storage)];
      const ids = markets.map(({ id }) => id).reverse();
      const locked = await storage.transaction((tx) => tx.markets.lock([999_999, ...ids]));
      check.equal(locked, markets);
      check.equal(await storage.transaction((tx) => tx.markets.lock([])), [], 'nothing asked');
    });

    test('are updated in all that changes in their life', async ({ storage, check }) => {
      const [market, neighbour] = [await addMarket(storage), await addMarket(storage)];
      const changed: Market = {
        ...market,
        status: 'resolved',
        sharesYes: 1n,
        sharesNo: 2n,
        pool: 3n,
        volume: 4n,
        tradeCount: 5,
        marketSeq: 6,
        resolution: RESOLUTION,
        dueAt: NOW + 7,
        leaseToken: 8,
        oracleAttempts: 9,
      };
      await storage.transaction((tx) => tx.markets.update([changed]));
      check.equal(await find(storage, [market.id]), [recordOf(changed)]);
      const back = { ...market, tradeCount: 1 };
      await storage.transaction((tx) => tx.markets.update([back, { ...neighbour, volume: 1n }]));
      check.equal(await find(storage, [market.id]), [recordOf(back)], 'nulls');
      check.equal(
        await find(storage, [neighbour.id]),
        [recordOf({ ...neighbour, volume: 1n })],
        'another in one call',
      );
    });

    test('keep slug, texts, creator and date of creation for ever', async ({ storage, check }) => {
      const market = await addMarket(storage);
      const texts = { question: 'else?', description: 'else', resolutionCriteria: 'else' };
      const forged = {
        ...market,
        ...texts,
        slug: 'else',
        creator: `0x${'e'.repeat(40)}`,
        createdAt: 1,
        volume: 5n,
      };
      await storage.transaction((tx) => tx.markets.update([forged]));
      check.equal(await find(storage, [market.id]), [recordOf({ ...market, volume: 5n })]);
      check.equal(await storage.read((r) => r.markets.findBySlugs(['else'])), [], 'by the other slug');
    });
  });
}

const SORTS: readonly MarketSort[] = ['volume_desc', 'created_desc', 'resolve_asc'];
const STATUSES: readonly (MarketStatus | undefined)[] = [undefined, 'open', 'resolving', 'resolved'];

/** Ties in volume and date, volumes that order differently as text and as doubles, dates on both sides of now. */
async function addMarketsToList(storage: Storage): Promise<Market[]> {
  const volumes = [9n, 10n, 100n, 10n, 9n, BEYOND_DOUBLE, BEYOND_DOUBLE - 1n, 0n, 10n, 0n, 100n, 9n, 10n, 2n];
  const statuses: MarketStatus[] = ['open', 'open', 'resolving', 'open', 'resolved'];
  const hours = [5, -1, 3, 0, 5, 3, 100, -2];
  return storage.transaction(async (tx) => {
    const markets: Market[] = [];
    for (const [index, volume] of volumes.entries()) {
      const market = sampleMarket(await tx.markets.nextId(), {
        slug: `listed-${index}`,
        category: index % 3 === 0 ? 'sports' : 'crypto',
        status: statuses[index % statuses.length] ?? 'open',
        resolveDate: NOW + (hours[index % hours.length] ?? 0) * HOUR,
        createdAt: NOW + index,
        volume,
      });
      await tx.markets.insert(market);
      await tx.markets.addTotals([
        { status: market.status, category: market.category, markets: 1, exposure: 0n },
      ]);
      markets.push(market);
    }
    return markets;
  });
}

/** The plain meaning of a list query: filter, sort. */
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
    .filter((market) => query.category === undefined || market.category === query.category)
    .sort(orders[query.sort])
    .map(({ id }) => id);
}

function marketListTests({ describe, test }: Suite): void {
  describe('lists of markets', () => {
    for (const sort of SORTS) {
      test(`are ordered by ${sort}, with their ties, for every filter and page`, async ({
        storage,
        check,
      }) => {
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
      });
    }

    test('judge what is open by the instant they are given', async ({ storage, check }) => {
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
    });

    test('follow a market whose volume and status change, and show it whole', async ({ storage, check }) => {
      const markets = await addMarketsToList(storage);
      await storage.transaction((tx) =>
        tx.creators.save(sampleCreator({ address: CREATOR, displayName: 'Ada' })),
      );
      const [first] = markets;
      if (first === undefined) throw new Error('no markets');
      const changed: Market = { ...first, volume: 50n, status: 'resolved', resolution: RESOLUTION };
      await storage.transaction(async (tx) => {
        await tx.markets.update([changed]);
        await tx.markets.addTotals([
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
    });
  });
}

function totalTests({ describe, test }: Suite): void {
  const add = { status: 'open', category: 'crypto', markets: 1, exposure: 69n } as const;

  describe('totals of markets', () => {
    test('are added to, row by row', async ({ storage, check }) => {
      check.equal(await storage.transaction((tx) => tx.markets.lockTotals()), [], 'at first');
      await storage.transaction((tx) =>
        tx.markets.addTotals([add, { ...add, category: 'other', markets: 2 }]),
      );
      await storage.transaction((tx) =>
        tx.markets.addTotals([
          { ...add, markets: -1, exposure: -69n },
          { ...add, status: 'resolved', exposure: 0n },
        ]),
      );
      const totals = await storage.transaction((tx) => tx.markets.lockTotals());
      const byName = Object.fromEntries(totals.map((total) => [`${total.status} ${total.category}`, total]));
      check.equal(byName, {
        'open crypto': { ...add, markets: 0, exposure: 0n },
        'open other': { ...add, category: 'other', markets: 2 },
        'resolved crypto': { ...add, status: 'resolved', exposure: 0n },
      });
    });

    test('are not touched by the insert of a market', async ({ storage, check }) => {
      await addMarket(storage);
      check.equal(await storage.transaction((tx) => tx.markets.lockTotals()), []);
      const list = await storage.read((r) =>
        r.markets.list({ sort: 'created_desc', now: NOW, limit: 0, offset: 0 }),
      );
      check.equal(list.markets, [], 'a page of nothing');
    });

    test('lose no addition, and hold what is locked', async ({ storage, other, check }) => {
      await storage.transaction((tx) => tx.markets.addTotals([{ ...add, markets: 0, exposure: 0n }]));
      await rolledBack(storage, (tx) => tx.markets.addTotals([add]));
      const allowed = await atOnce(12, [storage, await other()], (handle) =>
        handle.transaction(async (tx) => {
          const totals = await tx.markets.lockTotals();
          if (totals.reduce((sum, total) => sum + total.markets, 0) >= 5) return false;
          await tx.markets.addTotals([add]);
          return true;
        }),
      );
      check.equal(allowed.filter(Boolean).length, 5, 'admitted under a limit of five');
      const totals = await storage.transaction((tx) => tx.markets.lockTotals());
      check.equal(totals, [{ ...add, markets: 5, exposure: 345n }]);
    });
  });
}

function leaseDueTests({ describe, test }: Suite): void {
  const lease = { now: NOW, leaseUntil: NOW + HOUR, limit: 100 };

  describe('due markets', () => {
    test('are leased earliest first, at most as many as told', async ({ storage, check }) => {
      const dues = [NOW - 1, NOW - 5, null, NOW, NOW + 1, NOW - 3];
      const markets: Market[] = [];
      for (const dueAt of dues) markets.push(await addMarket(storage, { dueAt, leaseToken: 3 }));
      const take = (limit: number) => storage.transaction((tx) => tx.markets.leaseDue({ ...lease, limit }));
      const asLeased = (index: number) => ({ ...markets[index], dueAt: NOW + HOUR, leaseToken: 4 });
      check.equal(await take(2), [asLeased(1), asLeased(5)], 'the first two');
      check.equal(await take(10), [asLeased(0), asLeased(3)], 'the rest');
      check.equal(await take(10), [], 'none is left');
      check.equal(
        await storage.transaction((tx) => tx.markets.lock([markets[1]?.id ?? 0])),
        [asLeased(1)],
        'stored',
      );
    });

    test('fall due again when the lease is over, with a higher token', async ({ storage, check }) => {
      const { id } = await addMarket(storage, { dueAt: NOW });
      const tokens = [];
      for (let round = 0; round < 3; round += 1) {
        const now = NOW + round * HOUR;
        const taken = await storage.transaction((tx) =>
          tx.markets.leaseDue({ now, leaseUntil: now + HOUR, limit: 1 }),
        );
        tokens.push(...taken.map(({ leaseToken }) => leaseToken));
      }
      check.equal(tokens, [1, 2, 3]);
      const [market] = await storage.transaction((tx) => tx.markets.lock([id]));
      check.equal([market?.dueAt, market?.leaseToken], [NOW + 3 * HOUR, 3]);
    });

    test('are never taken by two at once', async ({ storage, other, check }) => {
      const ids: number[] = [];
      for (let index = 0; index < 20; index += 1)
        ids.push((await addMarket(storage, { dueAt: NOW - index })).id);
      const taken: number[] = [];
      await atOnce(6, [storage, await other()], async (handle) => {
        // A taker may get fewer than there are while others are at it: it comes again until nothing is left.
        for (let round = 0; round < 40; round += 1) {
          const mine = await handle.transaction((tx) => tx.markets.leaseDue({ ...lease, limit: 2 }));
          taken.push(...mine.map(({ id }) => id));
          if (taken.length >= ids.length) return;
        }
      });
      check.equal(
        taken.sort((a, b) => a - b),
        ids,
      );
      const markets = await storage.transaction((tx) => tx.markets.lock(ids));
      check.equal(
        markets.map(({ leaseToken }) => leaseToken),
        ids.map(() => 1),
        'tokens',
      );
    });
  });
}
