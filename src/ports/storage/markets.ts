import type { Address, Market, MarketStatus } from '../../domain/types';
import type { HouseRisk } from '../../domain/house';
import type { Page } from './page';

/** A market with the display name of its creator. */
export interface MarketRecord extends Market {
  creatorDisplayName: string | null;
}

export const MARKET_SORTS = ['volume_desc', 'created_desc', 'resolve_asc'] as const;
export type MarketSort = (typeof MARKET_SORTS)[number];

export interface MarketListQuery extends Page {
  /**
   * `open` leaves out markets whose resolve date has come; `resolving` includes them. The resolve date is
   * compared with `now`.
   */
  status?: MarketStatus;
  /** A category in lower case. An unknown category matches no market. */
  category?: string;
  /**
   * With `words`, only markets whose question has every word as the beginning of one of its terms
   * (`searchTerms`). There is at least one word, and each is a term.
   */
  words?: readonly string[];
  /** Markets of equal volume come newest id first, and markets of equal resolve dates come lowest id first. */
  sort: MarketSort;
  now: number;
}

export interface MarketReader {
  /** The markets with these ids, in any order; unknown ids are left out. */
  findByIds(ids: readonly number[]): Promise<MarketRecord[]>;
  findBySlugs(slugs: readonly string[]): Promise<MarketRecord[]>;
  /**
   * `total` counts all matches. The cost depends on the page, not on the size of the table, because totals
   * come from counters.
   */
  list(query: MarketListQuery): Promise<{ markets: MarketRecord[]; total: number }>;
  /**
   * The totals of all statuses and categories, in any order. Waits for no lock: the changes of another
   * transaction count once it has committed.
   */
  totals(): Promise<MarketTotal[]>;
  /**
   * The creator's markets, newest id first; `total` and `fees` are the number and the sum of `creatorFees` of
   * all of them.
   */
  listByCreator(query: Page & { creator: Address }): Promise<CreatedMarkets>;
  /** The sums of `addRisk` for a creator, by liquidity parameter, ascending. */
  risksOf(creator: Address): Promise<HouseRisk[]>;
}

export interface CreatedMarkets {
  markets: MarketRecord[];
  total: number;
  fees: bigint;
}

export interface MarketTotal {
  status: MarketStatus;
  category: string;
  markets: number;
  /** The sum of the house's worst losses (b ln 2), in micro-USD. */
  exposure: bigint;
}

export interface MarketRepository extends MarketReader {
  /** A new id; gaps are allowed. */
  nextId(): Promise<number>;
  /** Returns `false` and writes nothing when the slug is taken. Does not change the totals. */
  insert(market: Market): Promise<boolean>;
  /** Locks and returns the markets, ascending by id; unknown ids are left out. */
  lock(ids: readonly number[]): Promise<Market[]>;
  /**
   * Writes every field except slug, question, description, criteria, category, creator, `createdAt` and
   * `liquidityParameter`, which never change.
   */
  update(markets: readonly Market[]): Promise<void>;
  /**
   * Takes up to `limit` markets with `dueAt <= now` and this `awaitsOracle` that no other caller is taking at
   * this moment, earliest first: sets `dueAt = leaseUntil`, raises `leaseToken`, and returns them with these
   * changes.
   */
  leaseDue(query: {
    awaitsOracle: boolean;
    now: number;
    leaseUntil: number;
    limit: number;
  }): Promise<Market[]>;
  /** Like `totals`, and locks the totals until the transaction ends. */
  lockTotals(): Promise<MarketTotal[]>;
  /** Adds the changes to the totals; creates missing rows. */
  addTotals(changes: readonly MarketTotal[]): Promise<void>;
  /**
   * Adds the change to the sums of `risksOf`; creates missing rows. A transaction that also changes totals
   * calls `addRisk` after `lockTotals` and `addTotals`.
   */
  addRisk(change: HouseRisk): Promise<void>;
}
