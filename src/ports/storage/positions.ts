import type { Address, Position, Side } from '../../domain/types';
import type { MarketRecord } from './markets';
import type { Page } from './page';

export interface PositionRecord extends Position {
  market: MarketRecord;
}
export const POSITION_STATUSES = ['open', 'closed', 'all'] as const;
export type PositionStatus = (typeof POSITION_STATUSES)[number];

export interface PositionReader {
  /**
   * `open` selects the positions that have shares. The positions of the newest market come first (market id
   * descending, YES before NO). `total` comes from the account's counters.
   */
  list(
    query: Page & { wallet: Address; status: PositionStatus },
  ): Promise<{ positions: PositionRecord[]; total: number }>;
  /**
   * At most `limit` open positions in the order of `list`, beginning after the given position, or with the
   * first for `null`. The cost depends on the page, not on how many positions come before it.
   */
  listOpenAfter(query: {
    wallet: Address;
    after: { marketId: number; side: Side } | null;
    limit: number;
  }): Promise<PositionRecord[]>;
}
export interface PositionRepository extends PositionReader {
  /**
   * The existing positions of these wallets on these markets, on both sides. The caller has locked the
   * market.
   */
  find(keys: readonly { marketId: number; wallet: Address }[]): Promise<Position[]>;
  /** Inserts or replaces by (market, wallet, side). */
  save(positions: readonly Position[]): Promise<void>;
  /** At most `limit` positions of a market that have shares and are not paid out, by wallet and side. */
  listUnpaid(marketId: number, limit: number): Promise<Position[]>;
}
