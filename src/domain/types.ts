/**
 * The nouns of the house. Money and shares are integers of one millionth (`bigint`): USDC base
 * units and micro-shares. Prices in integers are millionths too (`500_000` is a probability of 0.5).
 * Instants are milliseconds since the epoch and always arrive as arguments.
 */

/** An EVM address in lower case, `0x` and 40 hex digits. Shown to people in EIP-55. */
export type Address = string;
export type Side = 'YES' | 'NO';
export type TradeAction = 'buy' | 'sell';
/** `VOID` is an extension for operators: every share pays 0.50. */
export type Outcome = Side | 'VOID';
export type MarketStatus = 'open' | 'resolving' | 'resolved';
export type CreatorStatus = 'none' | 'pending' | 'approved' | 'rejected' | 'suspended';
export const MARKET_STATUSES = ['open', 'resolving', 'resolved'] as const satisfies MarketStatus[];
export const CATEGORIES = ['crypto', 'sports', 'politics', 'science', 'entertainment', 'other'] as const;
export type Category = (typeof CATEGORIES)[number];

/** Where money can be: a wallet, a market's pool, the house, or the world outside. */
export type AccountId = `wallet:${Address}` | `market:${number}` | 'treasury' | 'external';

export interface Resolution {
  outcome: Outcome;
  resolvedAt: number;
  /** 0..1, the oracle's confidence; 1 when an operator resolved it. */
  oracleConsensus: number;
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
  /** LMSR liquidity parameter b, in micro-USD. */
  liquidityParameter: bigint;
  /** Outstanding shares per side, in micro-shares. Frozen at resolution. */
  sharesYes: bigint;
  sharesNo: bigint;
  /** Balance of the account `market:<id>`, in micro-USD. */
  pool: bigint;
  /** Sum of trade notionals, buys and sells, before fees, in micro-USD. */
  volume: bigint;
  tradeCount: number;
  /** The number of the newest event of this market; dense, from 1. */
  marketSeq: number;
  /** When the newest fact of this market happened: its creation, a trade, its closing, its resolution, a payout. */
  lastFactAt: number;
  resolution: Resolution | null;
  /**
   * When the life-cycle job has to look at this market next: its resolve date while open, the next
   * oracle attempt while resolving, at once while payouts remain, `null` when nothing is left to do.
   * Leasing a market moves this forward, so that a dead owner's work falls due again by itself.
   */
  dueAt: number | null;
  /** Fencing token: raised by every lease; a result that carries an older one is refused. */
  leaseToken: number;
  /** Oracle attempts so far; drives the back-off. */
  oracleAttempts: number;
}

export interface Account {
  id: AccountId;
  /** Micro-USD. Never below zero for a wallet. */
  balance: bigint;
  /** Part of the balance held back for withdrawals under way. */
  reserved: bigint;
  /** Rows of this wallet's history (trades and settlements). */
  activityCount: number;
  /** Positions with shares, and positions ever held. */
  openPositions: number;
  totalPositions: number;
  updatedAt: number;
}

/** What one transaction adds to an account; counters default to no change. */
export interface AccountChange {
  id: AccountId;
  balance: bigint;
  reserved?: bigint;
  activityCount?: number;
  openPositions?: number;
  totalPositions?: number;
}

export type PostingKind = 'trade' | 'deposit' | 'resolution' | 'settlement' | 'withdrawal';

export interface Entry {
  account: AccountId;
  /** Micro-USD; positive credits the account. */
  amount: bigint;
}

/** One movement of money: entries that sum to zero. */
export interface Posting {
  kind: PostingKind;
  /** Names the cause, unique over all postings: `trade:17`, `deposit:<reference>`, `settlement:3:<wallet>:YES`. */
  reference: string;
  createdAt: number;
  entries: Entry[];
}

export interface Position {
  marketId: number;
  wallet: Address;
  side: Side;
  shares: bigint;
  /** What was paid for the shares still held, fees included. */
  costBasis: bigint;
  /** Net proceeds and payouts, less the cost of the shares that went. */
  realizedPnl: bigint;
  feesPaid: bigint;
  /** The payout has been made (or the position was empty when the market was settled). */
  settled: boolean;
  updatedAt: number;
}

/** A row of a wallet's history: an executed trade, or the settlement of a position. */
export interface Trade {
  id: number;
  type: 'trade' | 'settlement';
  marketId: number;
  wallet: Address;
  side: Side;
  /** `sell` for a settlement. */
  action: TradeAction;
  shares: bigint;
  /** Before the fee. A settlement's payout. */
  notional: bigint;
  fee: bigint;
  /** Buy: notional + fee. Sell: notional - fee. Settlement: the payout. */
  totalCost: bigint;
  realizedPnl: bigint;
  /** YES price after the trade, in millionths. */
  yesPriceAfter: number;
  createdAt: number;
}
export type NewTrade = Omit<Trade, 'id'>;

export interface Candle {
  marketId: number;
  /** Length of the bucket in milliseconds. */
  resolutionMs: number;
  /** Start of the bucket, a multiple of its length. */
  time: number;
  /** YES prices in millionths. */
  open: number;
  high: number;
  low: number;
  close: number;
  /** Sum of notionals, micro-USD. */
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
  /** SHA-256 of the whole raw key, lower-case hex. The raw key is never stored. */
  hash: string;
  prefix: string;
  label: string | null;
  scopes: Scope[];
  /** Requests per rolling minute. */
  rateLimit: number;
  /** The first of the keys that this one replaces by regeneration: its request window goes on. `null`: this key has its own. */
  windowOf: number | null;
  createdAt: number;
  lastUsedAt: number | null;
  revokedAt: number | null;
}

export type ChallengeAction = 'issue' | 'revoke' | 'regenerate' | 'apply';

export interface Challenge {
  nonce: string;
  address: Address;
  action: ChallengeAction;
  /** Set for `revoke` and `regenerate`. */
  keyId: number | null;
  format: 'text' | 'siwe';
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
  /** The operator's reference; credited once, over all wallets and the treasury. */
  reference: string;
  /** Who was credited: a wallet, or the word `treasury`. */
  wallet: Address | 'treasury';
  amount: bigint;
  /** Its balance, and what of it was reserved, right after the credit: the answer to a repetition. */
  balanceAfter: bigint;
  reservedAfter: bigint;
  createdAt: number;
}
