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
  /** The sum over the totals of markets that are not resolved. */
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
   * Recomputes from entries, trades and withdrawals: postings sum to zero; balances and pools equal their
   * entries; what an account has reserved equals its open withdrawals (kind `account`, subject `<account>
   * reserved`); each deposit and each confirmed withdrawal has its posting over the same amount, and each
   * posting of a deposit or a withdrawal has its own record (kind `posting`, subjects `deposit:<reference>` and
   * `withdrawal:<id>`); such a posting moves the whole amount on the account of its record (kind `posting`, subjects
   * `deposit:<reference> <account>` and `withdrawal:<id> <account>`); positions equal their trades; a market's outstanding shares equal its positions (until it is resolved); trade and position
   * counters agree, and a market's `creatorFees` are the sum of the fees of its trades (kind `counter`, subject
   * `market:<id> creatorFees`); each candle has the volume, the number and the last price of its trades, and the
   * newest of each length closes at the price of the market's newest trade (kind `candle`, subjects `market:<id>
   * candle <length in ms> <start> <figure>`, and `market:<id> candle <length in ms> newest`); the risks of the
   * house (`risksOf`) equal the creator's markets that are not resolved and what resolution postings took from
   * the treasury (kind `house`, subjects `house:<creator>:<liquidity parameter> unresolved` and
   * `house:<creator>:<liquidity parameter> lost`). The caller runs it inside `snapshot`.
   */
  // `onStep` is for progress bars. A storage that does its work in one part need not call it.
  run(onStep?: (step: AuditStep) => void): Promise<AuditFindings>;
  /**
   * Adds up the stored figures of wallets, pools and markets that are not resolved, and counts the markets. The
   * caller runs it inside `snapshot`.
   */
  house(): Promise<HouseFindings>;
}
