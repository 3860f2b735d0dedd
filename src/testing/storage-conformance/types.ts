import type { AccountId, Address, Side } from '../../domain/types';
import type { Storage } from '../../ports/storage';

/**
 * What the suite needs of a test runner. Jest and Vitest fit as they are; for node:test, pass
 * `expect: (actual) => ({ toEqual: (expected) => assert.deepStrictEqual(actual, expected) })`.
 */
export interface ConformanceRunner {
  describe(name: string, body: () => void): unknown;
  it(name: string, body: () => Promise<void>): unknown;
  /**
   * Only deep equality is asked for. Values are made plain before they are compared (a bigint `5n`
   * becomes the text `5n`), so that a runner that cannot print or serialize a bigint can report it.
   */
  expect(actual: unknown): { toEqual(expected: unknown): unknown };
}

/** One freshly made, empty, opened storage. Every test makes its own and destroys it. */
export interface StorageUnderTest {
  storage: Storage;
  /**
   * A second handle on the same data, opened (as another process would have it). The suite closes it.
   * Leave it out only where the data cannot be reached twice, as in memory: then both handles are one.
   */
  another?(): Promise<Storage>;
  /**
   * Looks at the rows behind the adapter's back, so that it cannot grade its own work. To be given by
   * every adapter whose rows can be read without it (a database, a file).
   */
  inspect?: StorageInspection;
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

export interface ConformanceTarget {
  create(): Promise<StorageUnderTest>;
}
