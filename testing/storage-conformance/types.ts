import type { AccountId, Address, Side } from '../../src/domain/types';
import type { Storage } from '../../src/ports/storage';
import type { ConformanceOptions } from '../conformance/runner';
import type { PROVEN_ELSEWHERE } from './contract';

export type { ConformanceRunner } from '../conformance/runner';

/**
 * A new, empty, opened storage. Every test makes its own and destroys it. A check that needs a missing hook
 * fails, unless the hook is declared absent by `false`.
 */
export interface StorageUnderTest {
  /** The adapter that is tested. */
  storage: Storage;
  /**
   * A second, opened handle on the same data, as another process would have it. The suite closes it. `false`
   * if the data cannot be opened twice at a time.
   */
  another: (() => Promise<Storage>) | false;
  /**
   * Opens the data again. The suite calls this after it has closed the earlier handle. In some tests it has
   * only abandoned the handle, as in a crash. Default: `another`.
   */
  reopen?: () => Promise<Storage>;
  /**
   * Does what the operating system or the database does when the process of `storage` is killed: it frees what the
   * process has locked. `storage` is not closed. Give it if the adapter takes a lock, such as a file with a process id:
   * put the id of a process that has ended into the lock. The suite then calls `reopen`.
   */
  kill?: () => Promise<void>;
  /**
   * `false` if the data end with the handle, as in memory, so that they cannot be opened again. Data that are kept need
   * one of `another`, `inspect`, `cutOff` and `loseCommit`: otherwise only the adapter itself says that they are kept.
   */
  durable?: false;
  /**
   * Reads the rows without the adapter, because the adapter would otherwise confirm its own work. `false` if
   * only the adapter can read the rows.
   */
  inspect: StorageInspection | false;
  /**
   * Makes the services that the storage depends on unreachable, permanently. `false` if it depends on no
   * service.
   */
  cutOff: (() => Promise<void>) | false;
  /**
   * Loses the answer to the next commit of `storage`: the commit is done, but the adapter gets no answer.
   * `false` if the adapter commits to no other process.
   */
  loseCommit: (() => Promise<void>) | false;
  /** Closes the storage if it is still open and removes its data. */
  destroy(): Promise<void>;
}

/**
 * Raw rows. Money and shares are decimal text, read in a way that cannot round them. `null` when there is no
 * such row.
 */
export interface StorageInspection {
  account(id: AccountId): Promise<{ balance: string; reserved: string } | null>;
  market(id: number): Promise<MarketMoney | null>;
  position(marketId: number, wallet: Address, side: Side): Promise<PositionMoney | null>;
  trade(id: number): Promise<TradeMoney | null>;
  /** The entries of a posting in the order in which they were written. Empty when there is no such posting. */
  entries(reference: string): Promise<{ account: string; amount: string }[]>;
  challengeExists(nonce: string): Promise<boolean>;
}

export interface MarketMoney {
  liquidityParameter: string;
  sharesYes: string;
  sharesNo: string;
  pool: string;
  volume: string;
  creatorFees: string;
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

/** The names of the sentences that no suite can check from outside. */
export type ProvenElsewhere = (typeof PROVEN_ELSEWHERE)[number];

export interface ConformanceTarget extends ConformanceOptions {
  /** Makes a new adapter with its hooks. The suite calls it for each test. */
  create(): Promise<StorageUnderTest>;
  /**
   * The sentences that your own tests check, because no suite can check them from outside: `pageCost` and
   * `walkCost` (the cost of a list). A sentence that is not named fails.
   */
  provenElsewhere?: readonly ProvenElsewhere[];
}
