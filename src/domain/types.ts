/**
 * The types of the domain. Money and shares are integers of one millionth (`bigint`): base units of USDC and
 * micro-shares. Integer prices are millionths too: `500_000` is a probability of 0.5. Instants are milliseconds
 * since the epoch, and are always passed as arguments.
 */

/** An EVM address in lower case: `0x` and 40 hex digits. People see addresses in the form of EIP-55. */
export type Address = string;
export const SIDES = ['YES', 'NO'] as const;
export type Side = (typeof SIDES)[number];
export const TRADE_ACTIONS = ['buy', 'sell'] as const;
export type TradeAction = (typeof TRADE_ACTIONS)[number];
/** Only operators can choose `VOID`, with which every share pays 0.50 USD. */
export const OUTCOMES = [...SIDES, 'VOID'] as const;
export type Outcome = (typeof OUTCOMES)[number];
export const CREATOR_STATUSES = ['none', 'pending', 'approved', 'rejected', 'suspended'] as const;
export type CreatorStatus = (typeof CREATOR_STATUSES)[number];
export const MARKET_STATUSES = ['open', 'resolving', 'resolved'] as const;
export type MarketStatus = (typeof MARKET_STATUSES)[number];
export const CATEGORIES = ['crypto', 'sports', 'politics', 'science', 'entertainment', 'other'] as const;
export type Category = (typeof CATEGORIES)[number];

/** How the ids of accounts begin. SQL statements use these prefixes too. */
export const WALLET_PREFIX = 'wallet:';
export const POOL_PREFIX = 'market:';
/** Where money can be: a wallet, a market's pool, the treasury, or the outside. */
export type AccountId =
  `${typeof WALLET_PREFIX}${Address}` | `${typeof POOL_PREFIX}${number}` | 'treasury' | 'external';

export const RESOLUTION_METHODS = ['oracle', 'operator'] as const;

export interface Resolution {
  outcome: Outcome;
  resolvedAt: number;
  /** The oracle's confidence from 0 to 1, or 1 when an operator resolved the market. */
  oracleConsensus: number;
  method: (typeof RESOLUTION_METHODS)[number];
  note: string | null;
}

export interface Market {
  id: number;
  slug: string;
  question: string;
  description: string | null;
  resolutionCriteria: string;
  category: string;
  creator: Address;
  status: MarketStatus;
  createdAt: number;
  resolveDate: number;
  /** The liquidity parameter b of LMSR, in micro-USD. */
  liquidityParameter: bigint;
  /** The outstanding shares of each side, in micro-shares. They do not change after the resolution. */
  sharesYes: bigint;
  sharesNo: bigint;
  /** The balance of the account `market:<id>`, in micro-USD. */
  pool: bigint;
  /** The sum of the notionals of all buys and sells, without fees, in micro-USD. */
  volume: bigint;
  /** The sum of the fees of all trades, which went to the creator, in micro-USD. */
  creatorFees: bigint;
  tradeCount: number;
  /** The number of this market's newest fact. The facts of a market count from 1 without gaps. */
  marketSeq: number;
  /** The time of this market's newest fact or payout. */
  lastFactAt: number;
  resolution: Resolution | null;
  /**
   * When a job works on this market next. `null` when jobs have nothing left to do. A lease moves this instant
   * forward, so the market falls due again if the instance that leased it dies.
   */
  dueAt: number | null;
  /**
   * Whether the next step of the market is a round of the oracle. Jobs take such markets separately, so that
   * slow rounds do not delay the steps of other markets.
   */
  awaitsOracle: boolean;
  /** The fencing token. Every lease raises the token, and a result that names an older token is refused. */
  leaseToken: number;
  /** The number of rounds of the oracle that have ended. */
  oracleAttempts: number;
}

export interface Account {
  id: AccountId;
  /** In micro-USD. The balance of a wallet is never below zero. */
  balance: bigint;
  /** The part of the balance that open withdrawals hold back. */
  reserved: bigint;
  /** The number of rows in this wallet's history (trades and settlements). */
  activityCount: number;
  /** The number of positions with shares, and the number of positions ever held. */
  openPositions: number;
  totalPositions: number;
  updatedAt: number;
}

/** What one transaction adds to an account. A counter that is left out does not change. */
export interface AccountChange {
  id: AccountId;
  balance: bigint;
  reserved?: bigint;
  activityCount?: number;
  openPositions?: number;
  totalPositions?: number;
}

export const POSTING_KINDS = ['trade', 'deposit', 'resolution', 'settlement', 'withdrawal'] as const;
export type PostingKind = (typeof POSTING_KINDS)[number];

export interface Entry {
  account: AccountId;
  /** In micro-USD. A positive amount credits the account. */
  amount: bigint;
}

/** A movement of money: entries that sum to zero. */
export interface Posting {
  kind: PostingKind;
  /**
   * The cause of the posting, such as `trade:17`, `deposit:<reference>` or `settlement:3:<wallet>:YES`. It is
   * unique among all postings.
   */
  reference: string;
  createdAt: number;
  entries: Entry[];
}

export interface Position {
  marketId: number;
  wallet: Address;
  side: Side;
  shares: bigint;
  /** What the wallet paid for the shares that it still holds, fees included. */
  costBasis: bigint;
  /** Net proceeds and payouts, less the cost of the shares that have left. */
  realizedPnl: bigint;
  feesPaid: bigint;
  /**
   * Whether the resolved market has paid this position out. `false` for a position that was empty at the
   * resolution.
   */
  paidOut: boolean;
  updatedAt: number;
}

export const TRADE_TYPES = ['trade', 'settlement'] as const;
export type TradeType = (typeof TRADE_TYPES)[number];

/** A row of a wallet's history: an executed trade, or the settlement of a position. */
export interface Trade {
  id: number;
  type: TradeType;
  marketId: number;
  wallet: Address;
  side: Side;
  /** A settlement has the action `sell`. */
  action: TradeAction;
  shares: bigint;
  /** The cost or proceeds before the fee. For a settlement, the payout. */
  notional: bigint;
  fee: bigint;
  /** For a buy, notional + fee. For a sale, notional - fee. For a settlement, the payout. */
  totalCost: bigint;
  realizedPnl: bigint;
  /** The YES price after the trade, in millionths. For a settlement, the price that the outcome sets. */
  yesPriceAfter: number;
  createdAt: number;
}
export type NewTrade = Omit<Trade, 'id'>;

export interface Candle {
  marketId: number;
  /** The length of the interval in milliseconds. */
  lengthMs: number;
  /** The start of the interval, a multiple of its length. */
  time: number;
  /** YES prices in millionths. */
  open: number;
  high: number;
  low: number;
  close: number;
  /** The sum of the notionals, in micro-USD. */
  volume: bigint;
  trades: number;
}

export const SCOPES = [
  'markets:read',
  'markets:create',
  'trades:create',
  'account:read',
  'account:withdraw',
] as const;
export type Scope = (typeof SCOPES)[number];

export interface ApiKey {
  id: number;
  wallet: Address;
  /** The SHA-256 of the whole raw key, as lower-case hex. The raw key is never stored. */
  hash: string;
  prefix: string;
  label: string | null;
  scopes: Scope[];
  /** The number of requests that the key allows in a rolling minute. */
  rateLimit: number;
  /**
   * The id of the first key in a chain of regenerated keys. All keys of the chain share the rolling window of
   * the first one. `null`: this key was issued, not regenerated.
   */
  windowOf: number | null;
  createdAt: number;
  lastUsedAt: number | null;
  revokedAt: number | null;
}

export const CHALLENGE_ACTIONS = ['issue', 'revoke', 'regenerate', 'apply'] as const;
export type ChallengeAction = (typeof CHALLENGE_ACTIONS)[number];
/** `siwe` is an EIP-4361 message. */
export const CHALLENGE_FORMATS = ['text', 'siwe'] as const;
export type ChallengeFormat = (typeof CHALLENGE_FORMATS)[number];

export interface Challenge {
  nonce: string;
  address: Address;
  action: ChallengeAction;
  /** The key that the challenge is about, for the actions `revoke` and `regenerate`. Otherwise `null`. */
  keyId: number | null;
  format: ChallengeFormat;
  message: string;
  issuedAt: number;
  expiresAt: number;
}

export interface Creator {
  address: Address;
  status: CreatorStatus;
  displayName: string | null;
  statement: string | null;
  appliedAt: number | null;
  approvedAt: number | null;
  rejectedReason: string | null;
  updatedAt: number;
}

export interface Deposit {
  /**
   * The operator's reference of the deposit, or `paidDepositReference` of its payment. Over all wallets and
   * the treasury, one deposit is credited for each reference.
   */
  reference: string;
  /** The credited account: a wallet, or the word `treasury`. */
  wallet: Address | 'treasury';
  amount: bigint;
  /** The balance and the reserved part right after the credit. A repeated request gets these as its answer. */
  balanceAfter: bigint;
  reservedAfter: bigint;
  createdAt: number;
}
