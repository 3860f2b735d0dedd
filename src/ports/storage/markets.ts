import type { Address, Market, MarketStatus } from '../../domain/types';
import type { HouseRisk } from '../../domain/house';
import type { Page } from './page';

/** A market with the display name of its creator. */
export interface MarketRecord extends Market {
  creatorDisplayName: string | null;
}

export type MarketSort = 'volume_desc' | 'created_desc' | 'resolve_asc';

export interface MarketListQuery extends Page {
  /**
   * `open` leaves out markets whose resolve date has come (they await the oracle); `resolving` has them. Judged by
   * `now`.
   */
  status?: MarketStatus;
  /** Lower case. An unknown category matches nothing. */
  category?: string;
  /** Equal volumes: newest id first; equal resolve dates: lowest id first. */
  sort: MarketSort;
  now: number;
}

export interface MarketReader {
  /** In any order; unknown ids are left out. */
  findByIds(ids: readonly number[]): Promise<MarketRecord[]>;
  findBySlugs(slugs: readonly string[]): Promise<MarketRecord[]>;
  /** `total` counts all matches. Costs the page, not the table: totals come from counters kept at write time. */
  list(query: MarketListQuery): Promise<{ markets: MarketRecord[]; total: number }>;
  /**
   * All totals, in any order. Waits for no lock: what another transaction is writing counts once it has committed.
   */
  totals(): Promise<MarketTotal[]>;
  /** What `addRisk` has added up for a creator, by liquidity parameter, ascending. */
  risksOf(creator: Address): Promise<HouseRisk[]>;
}

export interface MarketTotal {
  status: MarketStatus;
  category: string;
  markets: number;
  /** Sum of the house's worst losses (b ln 2), micro-USD. */
  exposure: bigint;
}

export interface MarketRepository extends MarketReader {
  /** A fresh id; gaps are allowed. */
  nextId(): Promise<number>;
  /** `false`, and nothing written, when the slug is taken. Does not touch the totals. */
  insert(market: Market): Promise<boolean>;
  /** Locks and reads; ascending by id; unknown ids are left out. */
  lock(ids: readonly number[]): Promise<Market[]>;
  /** Writes everything that changes in a market's life (slug, texts, creator and dates of creation do not). */
  update(markets: readonly Market[]): Promise<void>;
  /**
   * Takes up to `limit` markets with `dueAt <= now` that no other caller is taking at this moment, earliest first:
   * sets `dueAt = leaseUntil`, raises `leaseToken`, and returns them as they are then.
   */
  leaseDue(query: { now: number; leaseUntil: number; limit: number }): Promise<Market[]>;
  /** As `totals`, and locks them until the transaction ends. */
  lockTotals(): Promise<MarketTotal[]>;
  /** Adds to the totals; creates rows as needed. */
  addTotals(changes: readonly MarketTotal[]): Promise<void>;
  /**
   * Adds to `risksOf`; creates rows as needed. Made after `lockTotals` and `addTotals` in every transaction that makes
   * both.
   */
  addRisk(change: HouseRisk): Promise<void>;
}
