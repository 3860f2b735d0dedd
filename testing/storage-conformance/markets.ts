import type { Market } from '../../src/domain/types';
import type { Storage } from '../../src/ports/storage';
import { atOnce, type Suite } from './suite';
import { addMarket, CREATOR, NOW, recordOf, sampleCreator, sampleMarket } from './samples';

export function marketTests(suite: Suite): void {
  storedMarketTests(suite);
  changedMarketTests(suite);
}

const find = (storage: Storage, ids: number[]) => storage.read((r) => r.markets.findByIds(ids));
export const RESOLUTION = {
  outcome: 'VOID',
  resolvedAt: NOW + 9,
  oracleConsensus: 0.875,
  method: 'operator',
  note: 'Zurück\nan alle',
} as const;

function storedMarketTests(suite: Suite): void {
  suite.describe('markets', () => {
    keptMarketTests(suite);
    takenSlugTests(suite);
  });
}

function keptMarketTests({ test }: Suite): void {
  test(
    'come back as they were stored, by id and by slug',
    ['whole', 'unknownIds'],
    async ({ storage, check }) => {
      const plain = await addMarket(storage, { slug: 'plain' });
      const full = await addMarket(storage, {
        slug: 'full',
        question: 'Gewinnt „Ⅷ“? 会赢吗 🎲\u2028',
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
    },
  );

  test('show the display name of their creator as it is now', 'displayName', async ({ storage, check }) => {
    const market = await addMarket(storage);
    for (const displayName of ['Ada', null, 'Grace']) {
      await storage.transaction((transaction) =>
        transaction.creators.save(sampleCreator({ address: CREATOR, displayName })),
      );
      check.equal(await find(storage, [market.id]), [recordOf(market, displayName)]);
    }
  });

  test('get ids of their own', 'nextId', async ({ storage, other, check }) => {
    const ids = await atOnce(20, [storage, await other()], (handle) =>
      handle.transaction((transaction) => transaction.markets.nextId()),
    );
    check.equal(new Set(ids).size, 20);
  });
}

function takenSlugTests({ test }: Suite): void {
  test(
    'are not inserted under a taken slug, and nothing is written',
    'slugTaken',
    async ({ storage, inspect, check }) => {
      const first = await addMarket(storage, { slug: 'wanted' });
      const late = await storage.transaction(async (transaction) => {
        const id = await transaction.markets.nextId();
        check.equal(
          await transaction.markets.insert(sampleMarket(id, { slug: 'wanted', question: 'mine?' })),
          false,
          'taken',
        );
        check.equal((await transaction.markets.findByIds([id])).length, 0, 'in the transaction');
        check.equal(
          await transaction.markets.insert(sampleMarket(id, { slug: `wanted-${id}` })),
          true,
          'another slug',
        );
        return id;
      });
      check.equal(await storage.read((r) => r.markets.findBySlugs(['wanted'])), [recordOf(first)]);
      check.equal((await find(storage, [late]))[0]?.slug, `wanted-${late}`);
      if (inspect !== null) check.equal((await inspect.market(first.id))?.volume, '0', 'row');
    },
  );

  test('share a slug never, however many want it at once', 'slugTaken', async ({ storage, other, check }) => {
    const answers = await atOnce(12, [storage, await other()], (handle) =>
      handle.transaction(async (transaction) => {
        const market = sampleMarket(await transaction.markets.nextId(), { slug: 'contested' });
        return (await transaction.markets.insert(market)) ? market.id : null;
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
}

function changedMarketTests({ describe, test }: Suite): void {
  describe('markets', () => {
    test('are locked in ascending order, unknown ids left out', 'lockMarkets', async ({ storage, check }) => {
      const markets = [await addMarket(storage), await addMarket(storage), await addMarket(storage)];
      const ids = markets.map(({ id }) => id).reverse();
      const locked = await storage.transaction((transaction) => transaction.markets.lock([999_999, ...ids]));
      check.equal(locked, markets);
      check.equal(
        await storage.transaction((transaction) => transaction.markets.lock([])),
        [],
        'nothing asked',
      );
    });

    test('are updated in all that changes in their life', 'updateMarket', async ({ storage, check }) => {
      const [market, neighbour] = [await addMarket(storage), await addMarket(storage)];
      const changed: Market = {
        ...market,
        status: 'resolved',
        sharesYes: 1n,
        sharesNo: 2n,
        pool: 3n,
        volume: 4n,
        creatorFees: 10n,
        tradeCount: 5,
        marketSeq: 6,
        lastFactAt: NOW + 5,
        resolution: RESOLUTION,
        dueAt: NOW + 7,
        leaseToken: 8,
        oracleAttempts: 9,
      };
      await storage.transaction((transaction) => transaction.markets.update([changed]));
      check.equal(await find(storage, [market.id]), [recordOf(changed)]);
      const back = { ...market, tradeCount: 1, creatorFees: 1n };
      await storage.transaction((transaction) =>
        transaction.markets.update([back, { ...neighbour, volume: 1n }]),
      );
      check.equal(await find(storage, [market.id]), [recordOf(back)], 'nulls');
      check.equal(
        await find(storage, [neighbour.id]),
        [recordOf({ ...neighbour, volume: 1n })],
        'another in one call',
      );
    });

    test(
      'keep slug, texts, creator and date of creation unchanged',
      'updateMarket',
      async ({ storage, check }) => {
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
        await storage.transaction((transaction) => transaction.markets.update([forged]));
        check.equal(await find(storage, [market.id]), [recordOf({ ...market, volume: 5n })]);
        check.equal(await storage.read((r) => r.markets.findBySlugs(['else'])), [], 'by the other slug');
      },
    );
  });
}
