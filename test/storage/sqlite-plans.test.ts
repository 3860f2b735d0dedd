import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sqliteStorage } from '../../adapters/storage/sqlite';
import { MARKET_STATUSES } from '../../src/domain/types';
import { silentLogger } from '../../src/ports/logger';
import type { MarketListQuery, Storage, Transaction } from '../../src/ports/storage';
import { sampleResolution, sampleRound } from '../../testing/storage-conformance/resolution-samples';
import { ALICE, NOW, sampleMarket } from '../../testing/storage-conformance/samples';
import { sampleDelivery, sampleWebhook } from '../../testing/storage-conformance/webhook-samples';
import { sampleAct } from '../../testing/storage-conformance/operator-log';
import { sampleConsumer, sampleParkedFact } from '../../testing/storage-conformance/consumer-samples';
import { explaining, fullScans, unboundedSorts } from '../support/query-plans';
import { openRaw, type RawDatabase } from '../support/sqlite-raw';

const PAGE = { limit: 20, offset: 40 };
const SORTS = ['volume_desc', 'created_desc', 'resolve_asc'] as const;

async function plantMarkets(transaction: Transaction): Promise<void> {
  for (const category of ['crypto', 'sports']) {
    for (const status of [...MARKET_STATUSES, 'overdue'] as const) {
      const fields = status === 'overdue' ? { status: 'open' as const, resolveDate: NOW - 1 } : { status };
      await transaction.markets.insert(
        sampleMarket(await transaction.markets.nextId(), { ...fields, category }),
      );
      await transaction.markets.addTotals([{ status: fields.status, category, markets: 1, exposure: 1n }]);
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

const QUERIES: Record<string, (transaction: Transaction) => Promise<unknown>> = {
  ...Object.fromEntries(
    LISTS.map((query) => [
      `markets.list ${query.sort} ${query.status ?? 'all'} ${query.category ?? 'all'}`,
      (transaction: Transaction) => transaction.markets.list(query),
    ]),
  ),
  ...Object.fromEntries(
    LISTS.map((query) => [
      `markets.list of words, ${query.sort} ${query.status ?? 'all'} ${query.category ?? 'all'}`,
      (transaction: Transaction) => transaction.markets.list({ ...query, words: ['will', 'numb'] }),
    ]),
  ),
  'markets.insert': async ({ markets }) =>
    markets.insert(sampleMarket(await markets.nextId(), { slug: 'planned' })),
  'markets.findByIds': (transaction) => transaction.markets.findByIds([1, 2]),
  'markets.findBySlugs': (transaction) => transaction.markets.findBySlugs(['market-1']),
  'markets.lock': (transaction) => transaction.markets.lock([1, 2]),
  'markets.update': async (transaction) => {
    const [market] = await transaction.markets.lock([1]);
    if (market === undefined) throw new Error('no market');
    await transaction.markets.update([{ ...market, volume: 5n }]);
    await transaction.markets.update([{ ...market, status: 'resolving' }]);
  },
  'markets.leaseDue': (transaction) =>
    transaction.markets.leaseDue({ awaitsOracle: false, now: NOW, leaseUntil: NOW + 1, limit: 10 }),
  'markets.leaseDue for rounds': (transaction) =>
    transaction.markets.leaseDue({ awaitsOracle: true, now: NOW, leaseUntil: NOW + 1, limit: 10 }),
  'resolutions.find': (transaction) => transaction.resolutions.find(1),
  'resolutions.list': (transaction) => transaction.resolutions.list(PAGE),
  'resolutions.list of a status': (transaction) =>
    transaction.resolutions.list({ ...PAGE, status: 'escalated' }),
  'resolutions.listRounds': (transaction) => transaction.resolutions.listRounds({ marketId: 1, limit: 50 }),
  'resolutions.spentSince': (transaction) => transaction.resolutions.spentSince(NOW),
  'resolutions.save': (transaction) => transaction.resolutions.save(sampleResolution(1)),
  'resolutions.insertRound and updateRound': async (transaction) => {
    await transaction.resolutions.insertRound(sampleRound(1));
    await transaction.resolutions.updateRound(sampleRound(1));
  },
  'resolutions.deleteRounds': (transaction) =>
    transaction.resolutions.deleteRounds({ marketId: 1, upTo: 0, findings: ['no-quorum'] }),
  'webhooks.find': (transaction) => transaction.webhooks.find(1),
  'webhooks.list': (transaction) => transaction.webhooks.list(PAGE),
  'webhooks.listDeliveries': (transaction) => transaction.webhooks.listDeliveries({ webhookId: 1, ...PAGE }),
  'webhooks.insert, update, addDeliveries and delete': async ({ webhooks }) => {
    const webhook = await webhooks.insert(sampleWebhook());
    await webhooks.update(webhook);
    await webhooks.addDeliveries(webhook.id, [sampleDelivery()], 1);
    await webhooks.delete(webhook.id);
  },
  'operatorLog.append and list': async ({ operatorLog }) => {
    await operatorLog.append(sampleAct());
    await operatorLog.list(PAGE);
  },
  'operatorLog.list of an action': ({ operatorLog }) =>
    operatorLog.list({ ...PAGE, action: 'creator.reject' }),
  'deposits.list': (transaction) => transaction.deposits.list({ wallet: ALICE, ...PAGE }),
  'markets.listByCreator': (transaction) => transaction.markets.listByCreator({ creator: ALICE, ...PAGE }),
  'withdrawals.find': (transaction) => transaction.withdrawals.find(1),
  'withdrawals.list': (transaction) => transaction.withdrawals.list({ wallet: ALICE, ...PAGE }),
  'withdrawals.listOpen': (transaction) => transaction.withdrawals.listOpen({ afterId: 3, limit: 10 }),
  'withdrawals.listOpen of pending': (transaction) =>
    transaction.withdrawals.listOpen({ status: 'pending', afterId: 3, limit: 10 }),
  'withdrawals.listOpen of sent': (transaction) =>
    transaction.withdrawals.listOpen({ status: 'sent', afterId: 3, limit: 10 }),
  'withdrawals.countOpen': (transaction) => transaction.withdrawals.countOpen(ALICE),
  'withdrawals.insert': async (transaction) => {
    const times = { createdAt: NOW, updatedAt: NOW };
    const fields = {
      wallet: ALICE,
      amount: 1n,
      status: 'pending' as const,
      payoutState: null,
      transaction: null,
      reason: null,
    };
    const made = await transaction.withdrawals.insert({ ...fields, ...times });
    await transaction.withdrawals.update({ ...made, status: 'sent' });
  },
  'accounts.find': (transaction) => transaction.accounts.find('treasury'),
  'accounts.lock': (transaction) => transaction.accounts.lock(['treasury', `wallet:${ALICE}`], NOW),
  'accounts.apply': (transaction) => transaction.accounts.apply([{ id: 'treasury', balance: 1n }], NOW),
  'postings.find': (transaction) => transaction.postings.find('trade:1'),
  'positions.find': (transaction) => transaction.positions.find([{ marketId: 1, wallet: ALICE }]),
  'positions.listUnpaid': (transaction) => transaction.positions.listUnpaid(1, 1000),
  'positions.list open': (transaction) =>
    transaction.positions.list({ ...PAGE, wallet: ALICE, status: 'open' }),
  'positions.list closed': (transaction) =>
    transaction.positions.list({ ...PAGE, wallet: ALICE, status: 'closed' }),
  'positions.list all': (transaction) =>
    transaction.positions.list({ ...PAGE, wallet: ALICE, status: 'all' }),
  'positions.listOpenAfter': (transaction) =>
    transaction.positions.listOpenAfter({ wallet: ALICE, after: { marketId: 5, side: 'NO' }, limit: 10 }),
  'trades.listByMarket': (transaction) => transaction.trades.listByMarket({ ...PAGE, marketId: 1 }),
  'trades.listByMarket of a side': (transaction) =>
    transaction.trades.listByMarket({ ...PAGE, marketId: 1, side: 'NO' }),
  'trades.listByWallet': (transaction) => transaction.trades.listByWallet({ ...PAGE, wallet: ALICE }),
  'candles.list': (transaction) =>
    transaction.candles.list({ marketId: 1, lengthMs: 60_000, from: 0, to: NOW, limit: 500 }),
  'candles.lastBefore': (transaction) =>
    transaction.candles.lastBefore({ marketId: 1, lengthMs: 60_000, time: NOW }),
  'events.after': (transaction) => transaction.events.after(17, 100),
  'events.head': (transaction) => transaction.events.head(),
  'events.deleteBefore up to a number': (transaction) => transaction.events.deleteBefore(NOW, 100, 50),
  'consumers.find': (transaction) => transaction.consumers.find('books'),
  'consumers.lock': (transaction) => transaction.consumers.lock('books'),
  'consumers.listParked': (transaction) => transaction.consumers.listParked({ consumer: 'books', ...PAGE }),
  'consumers.listParked to redo': (transaction) =>
    transaction.consumers.listParked({ consumer: 'books', redo: true, ...PAGE }),
  'consumers.insert and update': async (transaction) => {
    await transaction.consumers.insert(sampleConsumer('books'));
    await transaction.consumers.update(sampleConsumer('books', { seq: 5 }));
  },
  'consumers.park and unpark': async (transaction) => {
    await transaction.consumers.park(sampleParkedFact('books'));
    await transaction.consumers.unpark({ consumer: 'books', epoch: 'a', seq: 1 });
  },
  'consumers.remove': (transaction) => transaction.consumers.remove('books'),
  'events.deleteBefore': (transaction) => transaction.events.deleteBefore(NOW, 100),
  'idempotency.find': (transaction) => transaction.idempotency.find([{ wallet: ALICE, key: 'a' }]),
  'idempotency.deleteBefore': (transaction) => transaction.idempotency.deleteBefore(NOW, 100),
  'deposits.find': (transaction) => transaction.deposits.find('a'),
  'challenges.consume': (transaction) => transaction.challenges.consume('a'),
  'challenges.deleteExpired': (transaction) => transaction.challenges.deleteExpired(NOW, 100),
  'apiKeys.findActiveByHashes': (transaction) => transaction.apiKeys.findActiveByHashes(['a', 'b']),
  'apiKeys.listActive': (transaction) => transaction.apiKeys.listActive(ALICE),
  'apiKeys.find': (transaction) => transaction.apiKeys.find(1),
  'apiKeys.revoke': (transaction) => transaction.apiKeys.revoke(1, ALICE, NOW),
  'apiKeys.update': (transaction) => transaction.apiKeys.update(1, { rateLimit: 5 }),
  'apiKeys.touch': (transaction) => transaction.apiKeys.touch([{ id: 1, usedAt: NOW }]),
  'creators.find': (transaction) => transaction.creators.find(ALICE),
  'creators.list': (transaction) => transaction.creators.list(PAGE),
  'creators.list of a status': (transaction) => transaction.creators.list({ ...PAGE, status: 'pending' }),
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

  it('find a word and check further words by the indexes of terms', async () => {
    const { repositories, plans } = explaining(raw);
    const query = { sort: 'created_desc', now: NOW, limit: 2, offset: 0 } as const;
    await repositories.markets.list({ ...query, words: ['number', 'up'] });
    const details = plans.flatMap(({ nodes }) => nodes.map(({ detail }) => detail));
    expect(details).toContain('SEARCH t USING PRIMARY KEY (term>? AND term<?)');
    expect(details.join('\n')).toMatch(
      /SEARCH o .*USING .*INDEX market_terms_by_market \(market_id=\? AND term>\? AND term<\?\)/,
    );
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
    await repositories.positions.listUnpaid(1, 1000);
    expect(plans.flatMap(({ nodes }) => nodes.map(({ detail }) => detail))).toEqual([
      'SEARCH p USING INDEX positions_unsettled (market_id=?)',
    ]);
  });
});
