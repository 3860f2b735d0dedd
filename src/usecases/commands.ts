/**
 * The inputs of the use cases: parsed and checked values (micro-USD, lower-case addresses, instants in
 * milliseconds since the epoch). A use case does not check the form of a command again.
 */
import type { WebhookEvent } from '../domain/webhooks';
import type { OpenStatus } from '../domain/withdrawals';
import type { CandleInterval } from '../domain/candles';
import type { OperatorAction } from '../domain/operator-acts';
import type { OpenResolutionStatus } from '../domain/oracle/resolution-state';
import type {
  Address,
  ChallengeAction,
  ChallengeFormat,
  CreatorStatus,
  MarketStatus,
  Outcome,
  Scope,
  Side,
  TradeAction,
} from '../domain/types';
import type { PostingsPosition } from '../domain/wallet-postings';
import type { PaymentStatus, PaymentVerdict } from '../domain/payments';
import type { CreatorVerdict } from '../domain/creator';
import type { OrderTerms, TradeBounds, TradeSize } from '../domain/order-terms';
import type { MarketSort, PositionStatus } from '../ports/storage';

export type { TradeBounds, TradeSize };

/** An id, a ticker or a slug, as the caller wrote it. */
export type MarketReference = string;
export interface PageCommand {
  limit: number;
  offset: number;
}

export interface IssueChallengeCommand {
  address: Address;
  action: ChallengeAction;
  keyId: number | null;
  format: ChallengeFormat;
}
export interface SignedCommand {
  address: Address;
  message: string;
  signature: string;
  nonce: string;
}
export interface IssueKeyCommand extends SignedCommand {
  label: string | null;
  /** `null` stands for all scopes. */
  scopes: Scope[] | null;
}
/**
 * `id` is `null` when the caller gave an id that no key can have. The use case then checks the signature, and rejects
 * with KEY_NOT_FOUND.
 */
export interface ManageKeyCommand extends SignedCommand {
  id: number | null;
}
export interface ApplyAsCreatorCommand extends SignedCommand {
  displayName: string | null;
  statement: string | null;
}
export interface AddressCommand {
  address: Address;
}

export interface ListMarketsCommand extends PageCommand {
  status: MarketStatus | null;
  category: string | null;
  /** A text of 1 to 8 search terms. */
  q: string | null;
  sort: MarketSort;
}
export interface MarketCommand {
  market: MarketReference;
}
export interface CreateMarketCommand {
  creator: Address;
  question: string;
  description: string | null;
  resolutionCriteria: string;
  /** In milliseconds since the epoch. `createMarket` checks that this date is at least an hour ahead. */
  resolveDate: number;
  category: string;
}
export interface ListTradesCommand extends PageCommand, MarketCommand {
  side: Side | null;
}

export interface QuoteCommand extends MarketCommand {
  side: Side;
  action: TradeAction;
  /** `null` asks for the price only. */
  size: Exclude<TradeSize, 'all'> | null;
}
export interface PriceHistoryCommand extends MarketCommand {
  interval: CandleInterval;
  startTime: number | null;
  endTime: number | null;
  limit: number;
}
export interface PlaceTradeCommand extends MarketCommand, OrderTerms {
  wallet: Address;
  idempotencyKey: string | null;
}

export interface WalletCommand {
  wallet: Address;
}
export interface ListPositionsCommand extends PageCommand, WalletCommand {
  status: PositionStatus;
}
export interface ListWalletHistoryCommand extends PageCommand, WalletCommand {}

export interface MarketFeedCommand {
  category: string | null;
  limit: number;
}
export interface AskQuestionCommand {
  /** Either the id of a market or the text of a question is set. */
  marketId: number | null;
  question: string | null;
  resolutionCriteria: string | null;
}
/**
 * The paying wallet is the creator of the market, or the wallet that the deposit credits. No `PaidCommand` has
 * a bigint, because the row of a payment stores its command as JSON.
 */
export type PaidCommand =
  | ({ operation: 'feed' } & MarketFeedCommand)
  | ({ operation: 'oracle-resolve' } & AskQuestionCommand)
  | ({ operation: 'create-market' } & Omit<CreateMarketCommand, 'creator'>)
  | { operation: 'deposit' };

export interface RequestWithdrawalCommand extends WalletCommand {
  amount: bigint;
  idempotencyKey: string | null;
}
export interface ListDepositsCommand extends PageCommand, WalletCommand {}
export interface ListEarningsCommand extends PageCommand, WalletCommand {}
export interface ListWithdrawalsCommand extends PageCommand, WalletCommand {}
/** `id` is `null` when the path contains no possible withdrawal id. */
export interface GetWithdrawalCommand extends WalletCommand {
  id: number | null;
}

export interface ListDepositsAsOperatorCommand extends PageCommand, AddressCommand {}
export interface ListWithdrawalsAsOperatorCommand extends PageCommand, AddressCommand {}
export interface ListPostingsCommand extends AddressCommand {
  limit: number;
  /** `null` begins with the newest posting. */
  after: PostingsPosition | null;
}

export interface ListOpenWithdrawalsCommand {
  status: OpenStatus | null;
  after: number;
  limit: number;
}
export interface ListPaymentsCommand extends PageCommand {
  status: PaymentStatus | null;
}
export interface DecidePaymentCommand {
  id: number;
  verdict: PaymentVerdict;
  /** The hash of the transaction that settled the payment, or that failed to settle it. */
  transaction: string | null;
  reason: string;
}
export type DecideWithdrawalCommand =
  | { id: number; verdict: 'confirmed'; transaction: string }
  | { id: number; verdict: 'failed'; reason: string };
export interface ListCreatorsCommand extends PageCommand {
  status: CreatorStatus | null;
}
export interface DecideCreatorCommand extends AddressCommand {
  verdict: CreatorVerdict;
  reason: string | null;
}
export interface TreasuryDepositCommand {
  amount: bigint;
  reference: string;
}
export interface DepositCommand extends AddressCommand, TreasuryDepositCommand {}
export interface ResolveMarketCommand extends MarketCommand {
  outcome: Outcome;
  note: string | null;
}
export interface ListMarketsAsOperatorCommand extends PageCommand {
  status: MarketStatus | null;
  progress: OpenResolutionStatus | null;
  /** `null` stands for `resolve_asc`. */
  sort: MarketSort | null;
}
export interface ListOperatorLogCommand extends PageCommand {
  operator: string | null;
  action: OperatorAction | null;
  target: string | null;
  /** Inclusive. */
  since: number | null;
  /** Exclusive. */
  until: number | null;
}
export interface ListResolutionsCommand extends PageCommand {
  status: OpenResolutionStatus | null;
}
export interface ConsumerCommand {
  name: string;
}
export interface ListParkedFactsCommand extends ConsumerCommand, PageCommand {}
export interface ResumeConsumerCommand extends ConsumerCommand {
  /** One of `from` and `seq` is set. The other one is `null`. */
  from: 'now' | 'oldest' | null;
  seq: number | null;
}
export interface RedoParkedFactsCommand extends ConsumerCommand {
  /** `null` means all parked facts. */
  fact: string | null;
}
export interface SkipParkedFactCommand extends ConsumerCommand {
  fact: string;
}
export interface WebhookCommand {
  id: number;
}
export interface CreateWebhookCommand {
  url: string;
  description: string | null;
  /** `null` means all events. */
  events: WebhookEvent[] | null;
  /** The number of the first fact to deliver. `null` means the facts from now on. */
  seq: number | null;
}
export interface ReplayWebhookCommand extends WebhookCommand {
  seq: number;
}
export interface RotateWebhookSecretCommand extends WebhookCommand {
  overlapSeconds: number;
}
export interface ListWebhookDeliveriesCommand extends WebhookCommand, PageCommand {}
export interface KeyCommand {
  id: number;
}
export interface UpdateKeyCommand {
  id: number;
  rateLimit?: number;
  scopes?: Scope[];
}
