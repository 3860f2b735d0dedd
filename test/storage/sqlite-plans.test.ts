import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sqliteStorage } from '../../adapters/storage/sqlite';
import { MARKET_STATUSES } from '../../src/domain/types';
import { silentLogger } from '../../src/ports/logger';
import type { MarketListQuery, Storage, Transaction } from '../../src/ports/storage';
import { ALICE, NOW, sampleMarket } from '../../testing/storage-conformance/samples';
import { explaining, fullScans, unboundedSorts } from '../support/query-plans';
import { openRaw, type RawDatabase } from '../support/sqlite-raw';

const PAGE = { limit: 20, offset: 40 };
const SORTS = ['volume_desc', 'created_desc', 'resolve_asc'] as const;

/** One market in every status and category, and an overdue one, so that every branch of a list exists. */
async function plantMarkets(tx: Transaction): Promise<void> {
  for (const category of ['crypto', 'sports']) {
    for (const status of [...MARKET_STATUSES, 'overdue'] as const) {
      const fields = status === 'overdue' ? { status: 'open' as const, resolveDate: NOW - 1 } : { status };
      await tx.markets.insert(sampleMarket(await tx.markets.nextId(), { ...fields, category }));
      await tx.markets.addTotals([{ status: fields.status, category, markets: 1, exposure: 1n }]);
    }
  }
}

const LISTS: MarketListQuery[] = SORTS.flatMap((sort) =>
  [undefined, ...MARKET_STATUSES].flatMap((status) =>
    [undefined, 'crypto'].map((category) => ({
      limit: 2,
      offset: 0,
      sort,
      now: NOW,
      ...(status === undefined ? {} : { status }),
      ...(category === undefined ? {} : { category }),
    })),
  ),
);

const QUERIES: Record<string, (tx: Transaction) => Promise<unknown>> = {
  ...Object.fromEntries(
    LISTS.map((query) => [
      `markets.list ${query.sort} ${query.status ?? 'all'} ${query.category ?? 'all'}`,
      (tx: Transaction) => tx.markets.list(query),
    ]),
  ),
  'markets.findByIds': (tx) => tx.markets.findByIds([1, 2]),
  'markets.findBySlugs': (tx) => tx.markets.findBySlugs(['market-1']),
  'markets.lock': (tx) => tx.markets.lock([1, 2]),
  'markets.update': async (tx) => {
    const [market] = await tx.markets.lock([1]);
    if (market === undefined) throw new Error('no market');
    await tx.markets.update([{ ...market, volume: 5n }]);
    await tx.markets.update([{ ...market, status: 'resolving' }]);
  },
  'markets.leaseDue': (tx) => tx.markets.leaseDue({ now: NOW, leaseUntil: NOW + 1, limit: 10 }),
  'withdrawals.find': (tx) => tx.withdrawals.find(1),
  'withdrawals.list': (tx) => tx.withdrawals.list({ wallet: ALICE, ...PAGE }),
  'withdrawals.listOpen': (tx) => tx.withdrawals.listOpen({ afterId: 3, limit: 10 }),
  'withdrawals.listOpen of pending': (tx) =>
    tx.withdrawals.listOpen({ status: 'pending', afterId: 3, limit: 10 }),
  'withdrawals.listOpen of sent': (tx) => tx.withdrawals.listOpen({ status: 'sent', afterId: 3, limit: 10 }),
  'withdrawals.countOpen': (tx) => tx.withdrawals.countOpen(ALICE),
  'withdrawals.insert': async (tx) => {
    const [payoutState, transaction, reason] = [null, null, null];
    const times = { createdAt: NOW, updatedAt: NOW };
    const fields = {
      wallet: ALICE,
      amount: 1n,
      status: 'pending' as const,
      payoutState,
      transaction,
      reason,
    };
    const made = await tx.withdrawals.insert({ ...fields, ...times });
    await tx.withdrawals.update({ ...made, status: 'sent' });
  },
  'accounts.find': (tx) => tx.accounts.find('treasury'),
  'accounts.lock': (tx) => tx.accounts.lock(['treasury', `wallet:${ALICE}`], NOW),
  'accounts.apply': (tx) => tx.accounts.apply([{ id: 'treasury', balance: 1n }], NOW),
  'entries.findPosting': (tx) => tx.entries.findPosting('trade:1'),
  'positions.find': (tx) => tx.positions.find([{ marketId: 1, wallet: ALICE }]),
  'positions.listUnsettled': (tx) => tx.positions.listUnsettled(1, 1000),
  'positions.list open': (tx) => tx.positions.list({ ...PAGE, wallet: ALICE, status: 'open' }),
  'positions.list closed': (tx) => tx.positions.list({ ...PAGE, wallet: ALICE, status: 'closed' }),
  'positions.list all': (tx) => tx.positions.list({ ...PAGE, wallet: ALICE, status: 'all' }),
  'positions.listOpenAfter': (tx) =>
    tx.positions.listOpenAfter({ wallet: ALICE, after: { marketId: 5, side: 'NO' }, limit: 10 }),
  'trades.listByMarket': (tx) => tx.trades.listByMarket({ ...PAGE, marketId: 1 }),
  'trades.listByMarket of a side': (tx) => tx.trades.listByMarket({ ...PAGE, marketId: 1, side: 'NO' }),
  'trades.listByWallet': (tx) => tx.trades.listByWallet({ ...PAGE, wallet: ALICE }),
  'candles.list': (tx) =>
    tx.candles.list({ marketId: 1, resolutionMs: 60_000, from: 0, to: NOW, limit: 500 }),
  'candles.lastBefore': (tx) => tx.candles.lastBefore({ marketId: 1, resolutionMs: 60_000, time: NOW }),
  'events.after': (tx) => tx.events.after(17, 100),
  'events.head': (tx) => tx.events.head(),
  'events.deleteBefore': (tx) => tx.events.deleteBefore(NOW, 100),
  'idempotency.find': (tx) => tx.idempotency.find([{ wallet: ALICE, key: 'a' }]),
  'idempotency.deleteBefore': (tx) => tx.idempotency.deleteBefore(NOW, 100),
  'deposits.find': (tx) => tx.deposits.find('a'),
  'challenges.consume': (tx) => tx.challenges.consume('a'),
  'challenges.deleteExpired': (tx) => tx.challenges.deleteExpired(NOW, 100),
  'apiKeys.findActiveByHashes': (tx) => tx.apiKeys.findActiveByHashes(['a', 'b']),
  'apiKeys.listActive': (tx) => tx.apiKeys.listActive(ALICE),
  'apiKeys.find': (tx) => tx.apiKeys.find(1),
  'apiKeys.revoke': (tx) => tx.apiKeys.revoke(1, ALICE, NOW),
  'apiKeys.update': (tx) => tx.apiKeys.update(1, { rateLimit: 5 }),
  'apiKeys.touch': (tx) => tx.apiKeys.touch([{ id: 1, usedAt: NOW }]),
  'creators.find': (tx) => tx.creators.find(ALICE),
  'creators.list': (tx) => tx.creators.list(PAGE),
  'creators.list of a status': (tx) => tx.creators.list({ ...PAGE, status: 'pending' }),
};

describe('query plans of the SQLite storage', () => {
  let folder: string;
  let storage: Storage;
  let raw: RawDatabase;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sqlite-plans-'));
    const file = join(folder, 'markets.db');
    storage = sqliteStorage({ file });
    await storage.open({ logger: silentLogger });
    await storage.transaction(plantMarkets);
    raw = await openRaw(file);
  });
  afterAll(async () => {
    await raw.close();
    await storage.close();
    await rm(folder, { recursive: true, force: true });
  });

  it.each(Object.entries(QUERIES))('%s scans and sorts nothing that grows', async (_name, query) => {
    const { repositories, plans } = explaining(raw);
    await query(repositories);
    expect(plans.length).toBeGreaterThan(0);
    expect(plans.flatMap(fullScans)).toEqual([]);
    expect(plans.flatMap(unboundedSorts)).toEqual([]);
  });

  it('tell a scan and a sort when there is one', async () => {
    const nodes = await raw.all<{ id: number; parent: number; detail: string }>(
      'EXPLAIN QUERY PLAN SELECT * FROM trades ORDER BY shares LIMIT 5',
    );
    const plan = { sql: 'SELECT … LIMIT 5', nodes };
    expect(fullScans(plan)).toEqual(['SCAN trades']);
    expect(unboundedSorts(plan)).toEqual(['SCAN trades']);
  });

  it('follow the settlement chunk through its own index', async () => {
    const { repositories, plans } = explaining(raw);
    await repositories.positions.listUnsettled(1, 1000);
    expect(plans.flatMap(({ nodes }) => nodes.map(({ detail }) => detail))).toEqual([
      'SEARCH p USING INDEX positions_unsettled (market_id=?)',
    ]);
  });
});
