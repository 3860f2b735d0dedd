import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { sqlRepositories } from '../../adapters/shared/sql/repositories';
import { postgresDialect } from '../../adapters/shared/sql/postgres-dialect';
import type { Session } from '../../adapters/shared/sql/session';
import { sqliteStorage } from '../../adapters/storage/sqlite';
import { searchTerms } from '../../src/domain/search-terms';
import { silentLogger } from '../../src/ports/logger';
import { MARKET_SORTS, type MarketListQuery } from '../../src/ports/storage/markets';
import type { Market } from '../../src/domain/types';
import { NOW, sampleMarket } from '../../testing/storage-conformance/samples';
import { describeWith } from '../support/optional';
import { openRawPostgres, startPostgres } from '../support/postgres';
import { openRaw } from '../support/sqlite-raw';
import { migratedSqliteFile } from '../support/sqlite-files';
import { onEachStorage } from '../support/storages';

const word = fc.constantFrom(
  'rain',
  'Rainy',
  'ra',
  'São',
  'sao',
  'sa%',
  'a_b',
  'Straße',
  'stras',
  '雨',
  '東京',
  'r\u{10FFFD}',
  'x',
);
const text = fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => words.join(' '));
const query = fc.record({
  text,
  sort: fc.constantFrom(...MARKET_SORTS),
  status: fc.constantFrom(undefined, 'open' as const, 'resolving' as const, 'resolved' as const),
  limit: fc.integer({ min: 1, max: 4 }),
  offset: fc.integer({ min: 0, max: 3 }),
});

function model(markets: readonly Market[], { words = [], status, sort, now }: MarketListQuery): number[] {
  const shown = (market: Market) =>
    market.status === 'open' && market.resolveDate <= now ? 'resolving' : market.status;
  const orders = {
    volume_desc: (a: Market, b: Market) => Number(b.volume - a.volume) || b.id - a.id,
    created_desc: (a: Market, b: Market) => b.id - a.id,
    resolve_asc: (a: Market, b: Market) => a.resolveDate - b.resolveDate || a.id - b.id,
  };
  return markets
    .filter((market) => status === undefined || shown(market) === status)
    .filter(({ question }) => {
      const terms = searchTerms(question);
      return words.every((one) => terms.some((term) => term.startsWith(one)));
    })
    .sort(orders[sort])
    .map(({ id }) => id);
}

onEachStorage('search over questions', (ground) => {
  it('finds what a plain filter finds, in its order, page by page', async () => {
    const home = await ground.create();
    const storage = home.handle();
    await storage.open({ logger: silentLogger });
    const markets: Market[] = [];
    try {
      await fc.assert(
        fc.asyncProperty(
          fc.array(text, { minLength: 1, maxLength: 4 }),
          fc.array(query, { maxLength: 4 }),
          async (questions, queries) => {
            await storage.transaction(async (transaction) => {
              for (const question of questions) {
                const id = await transaction.markets.nextId();
                const status = (['open', 'open', 'resolving', 'resolved'] as const)[id % 4];
                const resolveDate = NOW + ((id % 3) - 1) * 1_000;
                const market = sampleMarket(id, { question, status, resolveDate, volume: BigInt(id % 2) });
                await transaction.markets.insert(market);
                markets.push(market);
              }
            });
            for (const { text: searched, limit, offset, sort, status } of queries) {
              const words = searchTerms(searched);
              if (words.length === 0) continue;
              const asked = { words, limit, offset, sort, status, now: NOW };
              const { markets: page, total } = await storage.read((reader) => reader.markets.list(asked));
              const all = model(markets, asked);
              expect([page.map(({ id }) => id), total]).toEqual([
                all.slice(offset, offset + limit),
                all.length,
              ]);
            }
          },
        ),
        { numRuns: 20 },
      );
    } finally {
      await storage.close();
      await home.destroy();
    }
  });
});

it('markets from before the search are found after the migration', async () => {
  const { file, remove } = await migratedSqliteFile();
  const before = sqliteStorage({ file });
  await before.open({ logger: silentLogger });
  await before.transaction(async ({ markets }) => {
    for (let made = 0; made < 1_201; made += 1) {
      const id = await markets.nextId();
      await markets.insert(sampleMarket(id, { question: `Old question ${id}` }));
    }
  });
  await before.close();
  const raw = await openRaw(file);
  await raw.all('DROP TABLE market_terms');
  await raw.all(`DELETE FROM schema_migrations WHERE name = '0018-market-terms'`);
  await raw.close();
  const after = sqliteStorage({ file });
  await after.open({ logger: silentLogger });
  const list = (searched: string) =>
    after.read((reader) =>
      reader.markets.list({
        words: searchTerms(searched),
        sort: 'created_desc',
        now: NOW,
        limit: 2,
        offset: 0,
      }),
    );
  expect((await list('old quest')).total).toBe(1_201);
  expect((await list('1201')).markets.map(({ question }) => question)).toEqual(['Old question 1201']);
  await after.close();
  await remove();
});

describeWith('postgres', 'search over questions on Postgres', () => {
  it('uses the indexes of terms', async () => {
    const server = await startPostgres();
    const client = await openRawPostgres(server.url);
    try {
      await client.query('CREATE SCHEMA plans');
      const { postgresStorage } = await import('../../adapters/storage/postgres');
      const storage = postgresStorage({ url: server.url, schema: 'plans' });
      await storage.open({ logger: silentLogger });
      await storage.close();
      await client.query(`INSERT INTO plans.market_terms (term, market_id)
        SELECT 'word' || i, i FROM generate_series(1, 20000) AS i`);
      await client.query('ANALYZE plans.market_terms');
      const plans: string[] = [];
      const session: Session = {
        async query(sql, bind = []) {
          const explained = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`, [...bind]);
          plans.push(explained.rows.map((row) => row['QUERY PLAN']).join('\n'));
          return [];
        },
      };
      const repositories = sqlRepositories(postgresDialect('plans'))(session);
      await repositories.markets.list({
        words: ['word199', 'wo'],
        sort: 'volume_desc',
        now: NOW,
        limit: 5,
        offset: 0,
      });
      expect(plans).toHaveLength(2);
      for (const plan of plans) {
        expect(plan).toMatch(/market_terms_pkey/);
        expect(plan).not.toMatch(/Seq Scan on market_terms t\b/);
      }
    } finally {
      await client.end();
      await server.stop();
    }
  });
});
