import fc from 'fast-check';
import { serviceUnavailable } from '../../src/domain/errors';
import type { Market } from '../../src/domain/types';
import { silentLogger } from '../../src/ports/logger';
import type { MarketListQuery, Storage } from '../../src/ports/storage';
import { unchangedLists } from '../../adapters/shared/sql/unchanged-lists';
import { sqlRepositories } from '../../adapters/shared/sql/repositories';
import { sqlStorage } from '../../adapters/shared/sql/sql-storage';
import { sqliteConnector } from '../../adapters/shared/sql/sqlite-connection';
import { sqliteDialect } from '../../adapters/shared/sql/sqlite-dialect';
import { fileConnector } from '../../adapters/storage/sqlite/file-connector';
import {
  CREATOR,
  NOW,
  recordOf,
  sampleCreator,
  sampleMarket,
} from '../../testing/storage-conformance/samples';
import { migratedSqliteFile } from '../support/sqlite-files';
import { onEachStorage } from '../support/storages';

const STATUSES = ['open', 'resolving', 'resolved'] as const;
const STEP = 1_000;

type Step =
  | { what: 'insert'; status: Market['status']; category: string; due: number }
  | {
      what: 'trade' | 'resolve' | 'postpone' | 'name the creator' | 'write something else';
      which: number;
      by: number;
    }
  | { what: 'clock'; by: number }
  | { what: 'read'; by: number; times: number; query: Omit<MarketListQuery, 'now'> };

/** Few queries, so that many of them are asked again after a change. */
const QUERIES: readonly Omit<MarketListQuery, 'now'>[] = [
  { sort: 'volume_desc', limit: 3, offset: 0 },
  { sort: 'resolve_asc', status: 'open', limit: 3, offset: 0 },
  { sort: 'created_desc', status: 'resolving', category: 'sports', limit: 2, offset: 1 },
];

const category = fc.constantFrom('sports', 'crypto');
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    what: fc.constant('insert' as const),
    status: fc.constantFrom(...STATUSES),
    category,
    due: fc.integer({ min: -2, max: 4 }),
  }),
  fc.record({
    what: fc.constantFrom(
      'trade' as const,
      'resolve' as const,
      'postpone' as const,
      'name the creator' as const,
      'write something else' as const,
    ),
    which: fc.nat({ max: 9 }),
    by: fc.nat({ max: 1 }),
  }),
  fc.record({ what: fc.constant('clock' as const), by: fc.integer({ min: -1, max: 2 }) }),
  fc.record({
    what: fc.constant('read' as const),
    by: fc.nat({ max: 1 }),
    times: fc.integer({ min: 1, max: 4 }),
    query: fc.constantFrom(...QUERIES),
  }),
);

onEachStorage('lists while others write', (ground) => {
  it('are what a list read anew is, on every handle and at every time', async () => {
    const home = await ground.create();
    const first = home.handle();
    const second = ground.name === 'memory' ? first : home.handle();
    const handles = [...new Set([first, second])];
    for (const handle of handles) await handle.open({ logger: silentLogger });
    const markets: Market[] = [];
    let now = NOW;
    try {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
          for (const one of steps) {
            if (one.what === 'clock') now += one.by * STEP;
            else if (one.what !== 'read') await write(by(one), markets, one, now);
            else
              for (let time = 0; time < one.times; time += 1) {
                const query = { ...one.query, now };
                const handle = by(one);
                const anew = await handle.transaction((transaction) => transaction.markets.list(query));
                expect(await handle.read((reader) => reader.markets.list(query))).toEqual(anew);
              }
          }
        }),
        { numRuns: 25 },
      );
    } finally {
      for (const handle of handles) await handle.close();
      await home.destroy();
    }

    function by(one: Step): Storage {
      return 'by' in one && one.by === 1 ? second : first;
    }
  });
});

async function write(storage: Storage, markets: Market[], one: Step, now: number): Promise<void> {
  await storage.transaction(async (transaction) => {
    if (one.what === 'insert') {
      const id = await transaction.markets.nextId();
      const resolveDate = now + one.due * STEP;
      const market = sampleMarket(id, { status: one.status, category: one.category, resolveDate });
      await transaction.markets.insert(market);
      await transaction.markets.addTotals([
        { status: market.status, category: market.category, markets: 1, exposure: 0n },
      ]);
      markets.push(market);
      return;
    }
    if (one.what === 'write something else') return transaction.settings.put('something', String(now));
    if (one.what === 'name the creator')
      return transaction.creators.save(sampleCreator({ address: CREATOR, displayName: `Name ${one.which}` }));
    const index = markets.length === 0 ? -1 : (one as { which: number }).which % markets.length;
    const market = markets[index];
    if (market === undefined) return;
    const changed = changedBy(one.what, market, now);
    if (changed === null) return;
    await transaction.markets.lock([market.id]);
    await transaction.markets.update([changed]);
    if (changed.status !== market.status)
      await transaction.markets.addTotals([
        { status: market.status, category: market.category, markets: -1, exposure: 0n },
        { status: changed.status, category: changed.category, markets: 1, exposure: 0n },
      ]);
    markets[index] = changed;
  });
}

function changedBy(what: Step['what'], market: Market, now: number): Market | null {
  if (what === 'trade') return { ...market, volume: market.volume + 1n, marketSeq: market.marketSeq + 1 };
  if (what === 'postpone') return { ...market, leaseToken: market.leaseToken + 1, resolveDate: now + STEP };
  if (market.status === 'resolved') return null;
  const resolution = {
    outcome: 'YES',
    resolvedAt: now,
    oracleConsensus: 2 / 3,
    method: 'oracle',
    note: null,
  } as const;
  return { ...market, status: 'resolved', resolution };
}

describe('unchangedLists', () => {
  const query: MarketListQuery = { sort: 'created_desc', limit: 2, offset: 0, now: NOW };

  function world() {
    const state = { version: '1', nextDue: null as number | null, reads: 0, title: 'before' };
    const source = {
      list: async () => {
        state.reads += 1;
        return { markets: [recordOf(sampleMarket(1, { question: state.title }))], total: 1 };
      },
      nextDue: async () => state.nextDue,
      version: async () => state.version,
    };
    return { state, source };
  }

  it('reads a list again only after a commit', async () => {
    const { state, source } = world();
    const list = unchangedLists(source);
    for (let time = 0; time < 5; time += 1) await list(query);
    // The first read learns the version, and the list of the second read is kept.
    expect(state.reads).toBe(2);
    state.version = '2';
    state.title = 'after';
    expect((await list(query)).markets[0]?.question).toBe('after');
  });

  it('keeps no list during which something was committed', async () => {
    const { state, source } = world();
    const list = unchangedLists({
      ...source,
      list: async () => {
        const made = await source.list();
        if (state.reads === 2) state.version = '2';
        return made;
      },
    });
    for (let time = 0; time < 2; time += 1) await list(query);
    state.title = 'after';
    state.version = '1';
    expect((await list(query)).markets[0]?.question).toBe('after');
  });

  it('reads a list again when a market has become due, and when the clock was set back', async () => {
    const { state, source } = world();
    state.nextDue = NOW + 10;
    const list = unchangedLists(source);
    for (let time = 0; time < 3; time += 1) await list(query);
    expect(state.reads).toBe(2);
    await list({ ...query, now: NOW + 9 });
    expect(state.reads).toBe(2);
    await list({ ...query, now: NOW + 10 });
    expect(state.reads).toBe(3);
    await list({ ...query, now: NOW - 1 });
    expect(state.reads).toBe(4);
  });

  it('gives each caller a list of its own', async () => {
    const { source } = world();
    const list = unchangedLists(source);
    for (let time = 0; time < 3; time += 1) {
      const { markets } = await list(query);
      expect(markets[0]?.question).toBe('before');
      Object.assign(markets[0] ?? {}, { question: 'changed by its caller' });
      markets.length = 0;
    }
  });

  it('keeps searches not at all, and a bounded number of lists', async () => {
    const { state, source } = world();
    const list = unchangedLists(source);
    for (let time = 0; time < 3; time += 1) await list({ ...query, words: ['rain'] });
    expect(state.reads).toBe(3);
    await list(query);
    for (let offset = 0; offset < 100; offset += 1)
      for (let time = 0; time < 2; time += 1) await list({ ...query, offset });
    state.reads = 0;
    for (let offset = 99; offset >= 84; offset -= 1) await list({ ...query, offset });
    expect(state.reads).toBe(0);
    await list({ ...query, offset: 83 });
    expect(state.reads).toBe(1);
  });

  it('asks no more for lists that are asked once, which leave the place to the list that is asked often', async () => {
    const { state, source } = world();
    let asked = 0;
    const counting =
      <T>(call: () => Promise<T>) =>
      () => {
        asked += 1;
        return call();
      };
    const { nextDue, version } = source;
    const list = unchangedLists({ ...source, nextDue: counting(nextDue), version: counting(version) });
    for (let time = 0; time < 3; time += 1) await list(query);
    asked = 0;
    for (let offset = 1; offset <= 100; offset += 1) await list({ ...query, offset });
    expect(asked).toBe(100);
    state.reads = 0;
    await list(query);
    expect(state.reads).toBe(0);
  });

  it('reads every list of a database that tells no version', async () => {
    const { state, source } = world();
    let asked = 0;
    const list = unchangedLists({
      ...source,
      version: async () => {
        asked += 1;
        throw Object.assign(new Error('permission denied for function'), { code: '42501' });
      },
    });
    for (let time = 0; time < 3; time += 1) await list(query);
    expect([asked, state.reads]).toEqual([1, 3]);
  });

  it('passes an outage on, and asks for the version again afterwards', async () => {
    const { state, source } = world();
    let isAway = true;
    const list = unchangedLists({
      ...source,
      version: async () => {
        if (isAway) throw serviceUnavailable('The storage is closed');
        return source.version();
      },
    });
    await expect(list(query)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    isAway = false;
    for (let time = 0; time < 4; time += 1) await list(query);
    expect(state.reads).toBe(2);
  });
});

it('a list of an unchanged SQLite file is not read again', async () => {
  const { file, remove } = await migratedSqliteFile();
  const connector = fileConnector(sqliteConnector(), file);
  let statements = 0;
  const reads: typeof connector.reads = {
    query(sql, bind) {
      statements += 1;
      return connector.reads.query(sql, bind);
    },
  };
  const storage = sqlStorage({ ...connector, reads }, sqlRepositories(sqliteDialect));
  await storage.open({ logger: silentLogger });
  const list = () =>
    storage.read((reader) => reader.markets.list({ sort: 'created_desc', limit: 5, offset: 0, now: NOW }));
  await list();
  await list();
  const before = statements;
  for (let time = 0; time < 5; time += 1) await list();
  expect(statements).toBe(before);
  await storage.transaction(async ({ settings }) => settings.put('something', 'new'));
  await list();
  expect(statements).toBeGreaterThan(before);
  await storage.close();
  await remove();
});
