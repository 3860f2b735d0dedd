import type { MarketStatus } from '../../domain/types';

export const AUDIT_KINDS = [
  'posting',
  'account',
  'pool',
  'position',
  'market',
  'counter',
  'candle',
  'house',
] as const;
export const MOST_DIFFERENCES = 100;

export interface AuditDifference {
  kind: (typeof AUDIT_KINDS)[number];
  /** The account, market, position, posting, candle or risk of the house that differs. */
  subject: string;
  stored: string;
  computed: string;
}

// How many parts of an audit are finished, and how many there are.
export interface AuditStep {
  finished: number;
  total: number;
}

export interface AuditFindings {
  checked: { wallets: number; markets: number; positions: number; entries: number };
  treasury: bigint;
  external: bigint;
  /** At most 100 differences. */
  differences: AuditDifference[];
}

/** The sums of stored figures, in micro-USD; `run` compares the single figures with the entries. */
export interface HouseFindings {
  /** The sum of the balances of all wallets, and the sum of their reserved parts. */
  wallets: bigint;
  reserved: bigint;
  pools: bigint;
  /** The sum of `exposure` over the totals of markets that are not resolved. */
  exposure: bigint;
  /** The number of markets, by status, category and liquidity parameter, in any order. */
  counted: CountedMarkets[];
}

export interface CountedMarkets {
  status: MarketStatus;
  category: string;
  liquidityParameter: bigint;
  markets: number;
}

export interface AuditReader {
  /**
   * Recomputes the books from entries, trades and withdrawals. The caller runs it inside `snapshot`. Each
   * kind of difference has its own checks:
   *
   * - `account`: the balance of an account is the sum of its entries, and its reserved part is the sum of the
   *   wallet's open withdrawals (subject `<account> reserved`).
   * - `pool`: the pool of a market is the sum of its entries.
   * - `posting`: the entries of a posting sum to zero; each deposit and each confirmed withdrawal has its
   *   posting over the same amount, and each posting of a deposit or a withdrawal has its own record
   *   (subjects `deposit:<reference>` and `withdrawal:<id>`); such a posting moves the whole amount on the
   *   account of its record (subjects `deposit:<reference> <account>` and `withdrawal:<id> <account>`).
   * - `position`: a position is what its trades add up to.
   * - `market`: until a market is resolved, its outstanding shares are the shares of its positions.
   * - `counter`: the counters of trades and positions agree with the rows, and a market's `creatorFees` are
   *   the sum of the fees of its trades (subject `market:<id> creatorFees`).
   * - `candle`: each candle has the volume, the number and the last price of its trades (subject `market:<id>
   *   candle <length in ms> <start> <figure>`), and the newest candle of each length closes at the price of
   *   the market's newest trade (subject `market:<id> candle <length in ms> newest`).
   * - `house`: the risks of the house (`risksOf`) are the creator's markets that are not resolved, and what
   *   resolution postings took from the treasury (subjects `house:<creator>:<liquidity parameter> unresolved`
   *   and `house:<creator>:<liquidity parameter> lost`).
   */
  // `onStep` is for progress bars. A storage that does its work in one part need not call it.
  run(onStep?: (step: AuditStep) => void): Promise<AuditFindings>;
  /**
   * Adds up the stored balances of all wallets, the pools of all markets and the exposure of the markets that are
   * not resolved, and counts all markets. The caller runs it inside `snapshot`.
   */
  house(): Promise<HouseFindings>;
}
