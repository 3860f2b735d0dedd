import type { AccountId, Address, Side } from '../../src/domain/types';
import type { Storage } from '../../src/ports/storage';
import type { ConformanceOptions } from '../conformance/runner';
import type { PROVEN_ELSEWHERE } from './contract';

export type { ConformanceRunner } from '../conformance/runner';

/**
 * One freshly made, empty, opened storage. Every test makes its own and destroys it. What the suite cannot look at for want of
 * a hook fails, unless the hook is declared absent: `false` in its place.
 */
export interface StorageUnderTest {
  storage: Storage;
  /**
   * A second handle on the same data, opened (as another process would have it). The suite closes it. `false` where the
   * data cannot be reached twice at a time.
   */
  another?: (() => Promise<Storage>) | false;
  /**
   * Opens the data again. Called when the earlier handle has been closed, and once when it was only left lying, as a crash
   * leaves it. Default: `another`.
   */
  reopen?: () => Promise<Storage>;
  /** `false`: the data end with the handle, as in memory, and nothing is there to be opened again. */
  durable?: false;
  /**
   * Looks at the rows behind the adapter's back, so that it cannot grade its own work. `false` where nothing but the
   * adapter can read them.
   */
  inspect?: StorageInspection | false;
  /** Makes what the storage depends on unreachable, for good. `false` where there is nothing of that kind. */
  cutOff?: (() => Promise<void>) | false;
  /**
   * Loses the answer to the next commit of `storage`: it is done, and the adapter does not hear of it. `false` where a commit
   * is no question that something else answers.
   */
  loseCommit?: (() => Promise<void>) | false;
  /** Closes the storage if it is still open and removes its data. */
  destroy(): Promise<void>;
}

/** Raw rows. Money and shares as decimal text, read in a way that cannot round them; `null` when there is no row. */
export interface StorageInspection {
  account(id: AccountId): Promise<{ balance: string; reserved: string } | null>;
  market(id: number): Promise<MarketMoney | null>;
  position(marketId: number, wallet: Address, side: Side): Promise<PositionMoney | null>;
  trade(id: number): Promise<TradeMoney | null>;
  /** The entries of a posting in the order in which they were written; empty when there are none. */
  entries(reference: string): Promise<{ account: string; amount: string }[]>;
  challengeExists(nonce: string): Promise<boolean>;
}

export interface MarketMoney {
  liquidityParameter: string;
  sharesYes: string;
  sharesNo: string;
  pool: string;
  volume: string;
}
export interface PositionMoney {
  shares: string;
  costBasis: string;
  realizedPnl: string;
  feesPaid: string;
}
export interface TradeMoney {
  shares: string;
  notional: string;
  fee: string;
  totalCost: string;
  realizedPnl: string;
}

/** What no suite can see from outside: sentences of the contract by name. */
export type ProvenElsewhere = (typeof PROVEN_ELSEWHERE)[number];

export interface ConformanceTarget extends ConformanceOptions {
  create(): Promise<StorageUnderTest>;
  /**
   * The sentences that tests of your own hold, because no suite can see them from outside: `pageCost` and `walkCost` (what a list
   * costs). One that is not named fails.
   */
  provenElsewhere?: readonly ProvenElsewhere[];
}
