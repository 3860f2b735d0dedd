import type { HouseRisk } from '../../../src/domain/house';
import type { Market, MarketStatus } from '../../../src/domain/types';
import type {
  CreatedMarkets,
  MarketListQuery,
  MarketReader,
  MarketRecord,
  MarketRepository,
  MarketTotal,
} from '../../../src/ports/storage';
import {
  addTo,
  byIdDescending,
  byResolveDate,
  byVolumeDescending,
  dueStep,
  marketPartition,
  riskKey,
  type Database,
  type Gate,
  type MarketKey,
} from './database';
import { mergedPage, only, take } from './paging';
import { copyMarket, copyResolution, copyTotal } from './rows';

const ORDERS = { volume_desc: byVolumeDescending, created_desc: byIdDescending, resolve_asc: byResolveDate };

export function marketRecord(db: Database, market: Market): MarketRecord {
  // Object.assign adds the field to the copy itself. A spread would copy the market a second time.
  return Object.assign(copyMarket(market), {
    creatorDisplayName: db.creators.get(market.creator)?.displayName ?? null,
  });
}

/**
 * The record of a market that another row names. If the market is missing, the caller has written rows in the
 * wrong order.
 */
export function marketRecordOf(db: Database, id: number): MarketRecord {
  const market = db.markets.get(id);
  if (market === undefined) throw new Error(`storage: market ${id} does not exist`);
  return marketRecord(db, market);
}

export function marketReader(db: Database, gate: Gate): MarketReader {
  const find = <Key>(keys: readonly Key[], get: (key: Key) => Market | undefined): MarketRecord[] => {
    const found: MarketRecord[] = [];
    for (const key of keys.length > 1 ? new Set(keys) : keys) {
      const market = get(key);
      if (market !== undefined) found.push(marketRecord(db, market));
    }
    return found;
  };
  return {
    findByIds: (ids) => gate(() => find(ids, (id) => db.markets.get(id))),
    findBySlugs: (slugs) => gate(() => find(slugs, (slug) => db.marketsBySlug.get(slug))),
    list: (query) =>
      gate(() => {
        if (query.words !== undefined) return search(db, { ...query, words: query.words });
        const page = mergedPage(listBranches(db, query), ORDERS[query.sort], query);
        return { markets: page.map(({ id }) => marketRecordOf(db, id)), total: countMatches(db, query) };
      }),
    listByCreator: (query) => gate(() => createdMarkets(db, query)),
    totals: () => gate(() => [...db.totals.values()].map(copyTotal)),
    risksOf: (creator) =>
      gate(() => [...db.risksByCreator.in(creator).ascending()].map((b) => ({ ...riskOf(db, creator, b) }))),
  };
}

/** A page of the creator's markets, with sums over all markets of the creator. */
function createdMarkets(
  db: Database,
  { creator, limit, offset }: Parameters<MarketReader['listByCreator']>[0],
): CreatedMarkets {
  const created = db.marketsByCreator.in(creator);
  const newestFirst = mergedPage([created.descending()], (a, b) => b - a, { limit, offset });
  let [total, fees] = [0, 0n];
  for (const id of created.ascending()) {
    total += 1;
    fees += db.markets.get(id)?.creatorFees ?? 0n;
  }
  return { markets: newestFirst.map((id) => marketRecordOf(db, id)), total, fees };
}

/**
 * The markets that match all words, filtered and sorted. The cost grows with the number of markets that match any
 * of the words.
 */
function search(
  db: Database,
  query: MarketListQuery & { words: readonly string[] },
): { markets: MarketRecord[]; total: number } {
  const { status, category, sort, now, limit, offset } = query;
  const shown = ({ status: stored, resolveDate }: Market): MarketStatus =>
    stored === 'open' && resolveDate <= now ? 'resolving' : stored;
  const found = [...db.marketTerms.find(query.words)]
    .map((id) => db.markets.get(id) as Market)
    .filter((market) => status === undefined || shown(market) === status)
    .filter((market) => category === undefined || market.category === category)
    .sort(ORDERS[sort]);
  const markets = found.slice(offset, offset + limit).map((market) => marketRecord(db, market));
  return { markets, total: found.length };
}

/**
 * The sorted branches of a list: one for each stored status and category. For the status `resolving` there is one
 * more branch, with the open markets past their resolve date.
 */
function listBranches(db: Database, query: MarketListQuery): Iterable<MarketKey>[] {
  const index = db.marketsBySort[query.sort];
  const { status } = query;
  const branches: Iterable<MarketKey>[] = partitionsOf(db, query, status).map((name) =>
    index.in(name).ascending(),
  );
  if (status === 'open') return branches.map((branch) => only(branch, (key) => key.resolveDate > query.now));
  if (status === 'resolving') branches.push([...overdue(db, query)].sort(ORDERS[query.sort]));
  return branches;
}

function countMatches(db: Database, query: MarketListQuery): number {
  let total = 0;
  for (const row of db.totals.values()) {
    const inStatus = query.status === undefined || row.status === query.status;
    if (inStatus && (query.category === undefined || row.category === query.category)) total += row.markets;
  }
  if (query.status === undefined || query.status === 'resolved') return total;
  const late = [...overdue(db, query)].length;
  return query.status === 'open' ? total - late : total + late;
}

/** The open markets whose resolve date has come. There are few of them, because a job closes them. */
function* overdue(db: Database, query: MarketListQuery): Generator<MarketKey, void, undefined> {
  for (const name of partitionsOf(db, query, 'open')) {
    for (const key of db.marketsBySort.resolve_asc.in(name).ascending()) {
      if (key.resolveDate > query.now) break;
      yield key;
    }
  }
}

function partitionsOf(
  db: Database,
  query: MarketListQuery,
  status: MarketStatus | undefined,
): (string | number)[] {
  if (status !== undefined && query.category !== undefined) {
    return [marketPartition({ status, category: query.category })];
  }
  const { category } = query;
  return [...db.marketsBySort.created_desc.partitions()].filter((name) => {
    const text = String(name);
    return (
      (status === undefined || text.startsWith(`${status}|`)) &&
      (category === undefined || text.slice(text.indexOf('|') + 1) === category)
    );
  });
}

export function marketRepository(db: Database, gate: Gate): MarketRepository {
  const reader = marketReader(db, gate);
  return addTo<MarketReader, MarketRepository>(reader, {
    nextId: () => gate(() => db.nextNumber('market')),
    insert: (market) => gate(() => insertMarket(db, market)),
    lock: (ids) =>
      gate(() => {
        const ascending = [...new Set(ids)].sort((a, b) => a - b);
        return ascending
          .map((id) => db.markets.get(id))
          .filter((row) => row !== undefined)
          .map(copyMarket);
      }),
    update: (markets) =>
      gate(() => {
        for (const row of markets.map((market) => updated(db, market))) db.markets.put(row);
      }),
    leaseDue: ({ awaitsOracle, now, leaseUntil, limit }) =>
      gate(() => {
        const earliest = db.dueMarkets.in(dueStep({ awaitsOracle })).ascending();
        const due = take(earliest, limit).filter((key) => key.time <= now);
        return due.map(({ id }) => {
          const market = db.markets.get(id) as Market;
          const leased = { ...market, dueAt: leaseUntil, leaseToken: market.leaseToken + 1 };
          db.markets.put(leased);
          return copyMarket(leased);
        });
      }),
    // There is one writer at a time, so `lockTotals` needs only to read.
    lockTotals: () => reader.totals(),
    addTotals: (changes) =>
      gate(() => {
        for (const change of changes) addTotal(db, change);
      }),
    addRisk: ({ creator, liquidityParameter, unresolved, lost }) =>
      gate(() => {
        const stored = riskOf(db, creator, liquidityParameter);
        db.risks.put({ ...stored, unresolved: stored.unresolved + unresolved, lost: stored.lost + lost });
      }),
  });
}

function riskOf(db: Database, creator: string, liquidityParameter: bigint): HouseRisk {
  const none = { creator, liquidityParameter, unresolved: 0, lost: 0n };
  return db.risks.get(riskKey(none)) ?? none;
}

function insertMarket(db: Database, market: Market): boolean {
  if (db.markets.has(market.id)) throw new Error(`storage: market ${market.id} exists`);
  if (db.marketsBySlug.get(market.slug) !== undefined) return false;
  db.markets.put(copyMarket(market));
  return true;
}

function updated(db: Database, market: Market): Market {
  const stored = db.markets.get(market.id);
  if (stored === undefined) throw new Error(`storage: market ${market.id} does not exist`);
  return {
    ...stored,
    status: market.status,
    resolveDate: market.resolveDate,
    sharesYes: market.sharesYes,
    sharesNo: market.sharesNo,
    pool: market.pool,
    volume: market.volume,
    creatorFees: market.creatorFees,
    tradeCount: market.tradeCount,
    marketSeq: market.marketSeq,
    lastFactAt: market.lastFactAt,
    resolution: copyResolution(market.resolution),
    dueAt: market.dueAt,
    awaitsOracle: market.awaitsOracle,
    leaseToken: market.leaseToken,
    oracleAttempts: market.oracleAttempts,
  };
}

function addTotal(db: Database, change: MarketTotal): void {
  const { status, category } = change;
  const stored = db.totals.get(marketPartition(change)) ?? { markets: 0, exposure: 0n };
  const markets = stored.markets + change.markets;
  db.totals.put({ status, category, markets, exposure: stored.exposure + change.exposure });
}
