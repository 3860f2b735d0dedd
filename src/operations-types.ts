/**
 * The typed methods of a prediction market: everything that the HTTP API can do, without HTTP.
 * Inputs are checked by the same schemas and take the same forms (USD as numbers with at most 6 decimals,
 * ISO 8601 with an offset); answers are the JSON that the API documents. Refusals are `PredictionMarketError`s.
 *
 * These methods act for whoever the caller says: the host has authenticated the wallet.
 */
import type { Outcome, Scope, Side, TradeAction } from './domain/types';
import type { PaymentStatus } from './domain/payments';
import type { CreatorStatus } from './domain/types';
import type { AccountView, BalanceView, DepositView } from './views/account';
import type { AuditView } from './views/audit';
import type { CreatorListView, CreatorStatusView, CreatorView } from './views/creator';
import type { FeedView } from './views/feed';
import type { ChallengeView, IssuedKeyView, KeyListView, KeyView, RevokedKeyView } from './views/key';
import type { MarketDetailView, MarketListView } from './views/market';
import type { OracleAnswerView } from './views/oracle';
import type { PaymentListView, PaymentView } from './views/payment';
import type { PositionListView } from './views/position';
import type { PriceHistoryView, PriceView } from './views/price';
import type { ExecutedTradeView, TradeListView, WalletHistoryView } from './views/trade';
import type { TreasuryDepositView, TreasuryView } from './views/treasury';
import type { WithdrawalListView, WithdrawalView } from './views/withdrawal';

/** A market's id, ticker or slug. */
export type MarketInput = number | string;

export interface PageInput {
  /** 1 or more, served as at most 100; default 20. */
  limit?: number;
  offset?: number;
}
export interface SignedInput {
  address: string;
  message: string;
  signature: string;
  nonce: string;
}
export interface AddressInput {
  address: string;
}
export interface MarketReferenceInput {
  market: MarketInput;
}
export interface CreateMarketInput {
  creator: string;
  question: string;
  description?: string;
  resolutionCriteria: string;
  resolveDate: string;
  category: string;
}
export interface QuoteInput {
  market: MarketInput;
  side?: Side;
  action?: TradeAction;
  /** USD, fee included; buys only. One of `amount` and `shares`; with neither, `quote` is null. */
  amount?: number;
  shares?: number;
}
export interface PlaceTradeInput {
  wallet: string;
  market: MarketInput;
  side: Side;
  action?: TradeAction;
  /** USD, fee included; buys only. */
  amount?: number;
  shares?: number | 'all';
  maxPrice?: number;
  minPrice?: number;
  minShares?: number;
  maxCost?: number;
  minPayout?: number;
  idempotencyKey?: string;
}

export interface PaymentDecisionInput {
  id: number;
  /** Hash of the transaction that settled it, or that failed to. */
  transaction?: string;
  /** How the operator knows; kept with the payment. */
  reason: string;
}

export interface Operations {
  issueChallenge(input: {
    address: string;
    action: 'issue' | 'revoke' | 'regenerate' | 'apply';
    keyId?: number;
    format?: 'text' | 'siwe';
  }): Promise<ChallengeView>;
  issueKey(input: SignedInput & { label?: string; scopes?: Scope[] }): Promise<IssuedKeyView>;
  listKeys(input: AddressInput): Promise<KeyListView>;
  revokeKey(input: SignedInput & { id: number }): Promise<RevokedKeyView>;
  regenerateKey(input: SignedInput & { id: number }): Promise<IssuedKeyView>;
  creatorStatus(input: AddressInput): Promise<CreatorStatusView>;
  applyAsCreator(
    input: SignedInput & { displayName?: string; statement?: string },
  ): Promise<CreatorStatusView>;

  listMarkets(
    input?: PageInput & {
      status?: 'open' | 'resolved';
      category?: string;
      sort?: 'volume_desc' | 'created_desc' | 'resolve_asc';
    },
  ): Promise<MarketListView>;
  getMarket(market: MarketInput): Promise<MarketDetailView>;
  createMarket(input: CreateMarketInput): Promise<MarketDetailView>;
  listTrades(input: PageInput & { market: MarketInput; side?: Side }): Promise<TradeListView>;
  getPrice(input: QuoteInput): Promise<PriceView>;
  getPriceHistory(input: {
    market: MarketInput;
    interval?: '1m' | '5m' | '15m' | '1h' | '6h' | '1d';
    startTime?: string;
    endTime?: string;
    limit?: number;
  }): Promise<PriceHistoryView>;
  placeTrade(input: PlaceTradeInput): Promise<ExecutedTradeView>;
  listPositions(
    input: PageInput & { wallet: string; status?: 'open' | 'closed' | 'all' },
  ): Promise<PositionListView>;
  listWalletHistory(input: PageInput & { wallet: string }): Promise<WalletHistoryView>;
  getBalance(input: { wallet: string }): Promise<BalanceView>;
  /** Reserves the amount (USD, at least 0.01) at once and pays it to the wallet soon after. */
  requestWithdrawal(input: {
    wallet: string;
    amount: number;
    idempotencyKey?: string;
  }): Promise<WithdrawalView>;
  listWithdrawals(input: PageInput & { wallet: string }): Promise<WithdrawalListView>;
  getWithdrawal(input: { wallet: string; id: number }): Promise<WithdrawalView>;

  // --- what /x402 sells, for a host that does not charge for it ---
  getFeed(input?: { category?: string; limit?: number }): Promise<FeedView>;
  /** The oracle's answer to a question, or to a market's. */
  askOracle(
    input: { question: string; resolutionCriteria?: string } | { marketId: number },
  ): Promise<OracleAnswerView>;

  // --- operators ---
  /** Payments of the pay-per-request API, newest first. */
  listPayments(input?: PageInput & { status?: PaymentStatus }): Promise<PaymentListView>;
  /** Says that a `submitted` payment has arrived, and runs its call: for a settlement that nobody can look up. */
  confirmPayment(input: PaymentDecisionInput): Promise<PaymentView>;
  /** Says that a `submitted` payment has not arrived and never will. */
  rejectPayment(input: PaymentDecisionInput): Promise<PaymentView>;
  listCreators(input?: PageInput & { status?: CreatorStatus }): Promise<CreatorListView>;
  approveCreator(input: AddressInput): Promise<CreatorView>;
  rejectCreator(input: AddressInput & { reason: string }): Promise<CreatorView>;
  suspendCreator(input: AddressInput & { reason: string }): Promise<CreatorView>;
  /** Credits a wallet from outside; a reference is credited once, over all wallets. */
  deposit(input: AddressInput & { amount: number; reference: string }): Promise<DepositView>;
  /** Money that operators put into the house; a reference is credited once, over all wallets and the treasury. */
  depositToTreasury(input: { amount: number; reference: string }): Promise<TreasuryDepositView>;
  /** What the house has, what it can still lose, and whether it can pay what it owes. */
  getTreasury(): Promise<TreasuryView>;
  getAccount(input: AddressInput): Promise<AccountView>;
  /** Ends trading now and hands the market to the oracle. */
  closeMarket(input: MarketReferenceInput): Promise<MarketDetailView>;
  resolveMarket(input: MarketReferenceInput & { outcome: Outcome; note?: string }): Promise<MarketDetailView>;
  updateKey(input: { id: number; rateLimit?: number; scopes?: Scope[] }): Promise<KeyView>;
  /** Recomputes the books from entries and trades, at one moment. */
  audit(): Promise<AuditView>;
}
