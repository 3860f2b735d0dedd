/** What the outside sees: the JSON shapes of SPEC and docs/http-api.md. USD are floats, instants ISO 8601, addresses EIP-55. */
import type { WithdrawalStatus } from '../domain/withdrawals';
import type { PaymentStatus } from '../domain/payments';
import type { OracleOutcome } from '../ports/oracle';
import type { CreatorStatus, Outcome, Scope, Side, TradeAction } from '../domain/types';

export interface MarketView {
  id: number;
  tickerId: string;
  slug: string;
  question: string;
  category: string;
  status: 'open' | 'resolving' | 'resolved';
  yesPrice: number;
  noPrice: number;
  volume: number;
  liquidity: number;
  resolveDate: string;
  createdAt: string;
}
export interface ResolutionView {
  outcome: Outcome;
  resolvedAt: string;
  oracleConsensus: number;
}
export interface MarketDetailView extends MarketView {
  description: string | null;
  resolutionCriteria: string;
  creator: { address: string; displayName: string | null };
  resolution: ResolutionView | null;
}
export interface MarketListView {
  markets: MarketView[];
  total: number;
  limit: number;
  offset: number;
}

export interface TradeView {
  id: number;
  marketId: number;
  side: Side;
  action: TradeAction;
  shares: number;
  pricePerShare: number;
  totalCost: number;
  fee: number;
  traderAddress: string;
  createdAt: string;
}
export interface TradeListView {
  trades: TradeView[];
  total: number;
  limit: number;
  offset: number;
}
export interface ExecutedTradeView extends TradeView {
  yesPrice: number;
  noPrice: number;
  balance: number;
  position: { side: Side; shares: number; avgPrice: number; costBasis: number };
}
export interface QuoteView {
  side: Side;
  action: TradeAction;
  shares: number;
  pricePerShare: number;
  totalCost: number;
  fee: number;
  yesPriceAfter: number;
  noPriceAfter: number;
  priceImpact: number;
}
export interface PriceView {
  marketId: number;
  yesPrice: number;
  noPrice: number;
  liquidity: number;
  asOf: string;
  quote: QuoteView | null;
}
export interface CandleView {
  time: string;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
  trades: number;
}
export interface PriceHistoryView {
  marketId: number;
  interval: string;
  candles: CandleView[];
}

export interface PositionView {
  marketId: number;
  tickerId: string;
  slug: string;
  question: string;
  status: 'open' | 'closed';
  side: Side;
  shares: number;
  avgPrice: number;
  costBasis: number;
  currentPrice: number;
  currentValue: number;
  unrealizedPnl: number;
  realizedPnl: number;
  feesPaid: number;
  maxPayout: number;
}
export interface PositionListView {
  positions: PositionView[];
  total: number;
  limit: number;
  offset: number;
}
export interface WalletTradeView extends TradeView {
  type: 'trade' | 'settlement';
  realizedPnl: number;
}
export interface WalletHistoryView {
  trades: WalletTradeView[];
  total: number;
  limit: number;
  offset: number;
}
export interface BalanceView {
  address: string;
  currency: 'USDC';
  balance: number;
  reserved: number;
  available: number;
  positionsValue: number;
  updatedAt: string;
}
export interface LimitsView {
  limit: number;
  remaining: number;
  resetAt: string;
  scopes: Scope[];
}

export interface ChallengeView {
  nonce: string;
  message: string;
  expiresAt: string;
}
export interface IssuedKeyView {
  id: number;
  apiKey: string;
  prefix: string;
  label: string | null;
  rateLimit: number;
  scopes: Scope[];
  createdAt: string;
  note: string;
}
export interface KeyView {
  id: number;
  prefix: string;
  label: string | null;
  rateLimit: number;
  scopes: Scope[];
  createdAt: string;
  lastUsedAt: string | null;
}
export interface RevokedKeyView {
  id: number;
  prefix: string;
  revokedAt: string;
}
export interface CreatorStatusView {
  address: string;
  status: CreatorStatus;
  appliedAt: string | null;
  approvedAt: string | null;
  rejectedReason: string | null;
}

export interface CreatorView extends CreatorStatusView {
  displayName: string | null;
  statement: string | null;
}
export interface CreatorListView {
  creators: CreatorView[];
  total: number;
  limit: number;
  offset: number;
}
export interface AccountView {
  address: string;
  balance: number;
  reserved: number;
  available: number;
}
export interface DepositView extends AccountView {
  amount: number;
  reference: string;
}
export interface TreasuryView {
  balance: number;
  exposure: number;
  limit: number;
  solvent: boolean;
}
export interface TreasuryDepositView {
  balance: number;
  amount: number;
  reference: string;
}
export interface FeedMarketView extends MarketView {
  volume24h: number;
}
export interface FeedView {
  asOf: string;
  seq: number;
  markets: FeedMarketView[];
  totals: { openMarkets: number; volume: number; volume24h: number };
}
export interface OracleCitationView {
  url: string;
  title: string | null;
  quote: string | null;
  publishedAt: string | null;
  retrievedAt: string | null;
}
export interface OracleVoteView {
  oracle: string;
  outcome: OracleOutcome;
  probability: number;
  confidence: number;
  latencyMs: number;
}
export interface OracleAnswerView {
  question: string;
  outcome: OracleOutcome;
  probability: number;
  confidence: number;
  agreement: number;
  citations: OracleCitationView[];
  reasoning: string;
  votes: OracleVoteView[];
  asOf: string;
}
export interface PaymentView {
  id: number;
  status: PaymentStatus;
  operation: string;
  payer: string;
  asset: string;
  nonce: string;
  amount: number;
  transaction: string | null;
  reason: string | null;
  /** What an operator has said of it. */
  decision: PaymentDecisionView | null;
  createdAt: string;
  updatedAt: string;
}
export interface PaymentDecisionView {
  verdict: 'confirmed' | 'rejected';
  reason: string;
  decidedAt: string;
}
export interface PaymentListView {
  payments: PaymentView[];
  limit: number;
  offset: number;
  hasMore: boolean;
}
export interface WithdrawalView {
  id: number;
  amount: number;
  status: WithdrawalStatus;
  transaction: string | null;
  createdAt: string;
  updatedAt: string;
}
export interface WithdrawalListView {
  withdrawals: WithdrawalView[];
  total: number;
  limit: number;
  offset: number;
}
export interface AuditView {
  ok: boolean;
  checked: { wallets: number; markets: number; positions: number; entries: number };
  treasury: number;
  external: number;
  solvency: {
    solvent: boolean;
    wallets: number;
    reserved: number;
    pools: number;
    worstLosses: number;
    surplus: number;
    worstCase: number;
  };
  differences: { kind: string; subject: string; stored: string; computed: string }[];
}
