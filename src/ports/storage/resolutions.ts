import type { RoundFinding } from '../../domain/oracle/rounds';
import type {
  OpenResolutionStatus,
  ResolutionRound,
  ResolutionState,
} from '../../domain/oracle/resolution-state';
import type { MarketRecord } from './markets';
import type { Page } from './page';

export interface ResolutionRecord extends ResolutionState {
  market: MarketRecord;
}

export interface ResolutionReader {
  find(marketId: number): Promise<ResolutionState | null>;
  /**
   * The resolutions that are not done, by market id ascending; with a `status`, only resolutions of that
   * status. `total` counts all matching resolutions.
   */
  list(
    query: Page & { status?: OpenResolutionStatus },
  ): Promise<{ resolutions: ResolutionRecord[]; total: number }>;
  /** The newest `limit` rounds of a market, ascending. */
  listRounds(query: { marketId: number; limit: number }): Promise<ResolutionRound[]>;
  /**
   * The sums of `calls` and `costMicros` over the rounds of all markets with `startedAt` at or after the
   * instant.
   */
  spentSince(startedAt: number): Promise<{ calls: number; costMicros: bigint }>;
}
export interface ResolutionRepository extends ResolutionReader {
  /** Inserts or replaces by market id. The caller has locked the market. */
  save(state: ResolutionState): Promise<void>;
  /** Rejects a (market, round) that exists. */
  insertRound(round: ResolutionRound): Promise<void>;
  /** Writes every field except the market and the number of the round; rejects when there is no such row. */
  updateRound(round: ResolutionRound): Promise<void>;
  /** Removes the rounds of a market up to this number whose votes had one of these findings. */
  deleteRounds(query: { marketId: number; upTo: number; findings: readonly RoundFinding[] }): Promise<void>;
}
