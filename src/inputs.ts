/**
 * The types of the inputs of the typed methods. The HTTP API takes the same fields from body, query, path and
 * key.
 *
 * USD and shares are numbers with at most 6 decimals. Prices are numbers from 0 to 1. Instants are ISO 8601
 * texts with an offset. Addresses are EVM addresses in lower case, upper case or correct EIP-55 form
 * (docs/specification.md "Validation"). The compiler holds each type together with its schema in src/schemas
 * and its command: a field that is added to only one of them does not compile.
 */
import type { CandleInterval } from './domain/candles';
import type { BoundValues } from './domain/order-terms';
import type { OpenResolutionStatus } from './domain/oracle/resolution-state';
import type { PaymentStatus } from './domain/payments';
import type {
  ChallengeAction,
  ChallengeFormat,
  CreatorStatus,
  MarketStatus,
  Outcome,
  Scope,
  Side,
  TradeAction,
} from './domain/types';
import type { WebhookEvent } from './domain/webhooks';
import type { MarketSort, PositionStatus } from './ports/storage';

/** A market's numeric id, ticker (`PM-0001`) or slug. */
export type MarketInput = number | string;

export interface PageInput {
  /** 1 or more; at most 100 are served. Default 20. */
  limit?: number;
  /** How many rows to skip. Default 0. */
  offset?: number;
}
export interface AddressInput {
  address: string;
}
export interface WalletInput {
  wallet: string;
}
export interface MarketReferenceInput {
  market: MarketInput;
}

// --- keys and creators ---
export interface ChallengeInput extends AddressInput {
  action: ChallengeAction;
  /** Id of the key; required for `revoke` and `regenerate`, refused otherwise. */
  keyId?: number;
  /** `siwe` is an EIP-4361 message and needs the option `baseUrl`; default `text`. */
  format?: ChallengeFormat;
}
export interface SignedInput extends AddressInput {
  /** The message of the challenge, unchanged. */
  message: string;
  /** EIP-191 signature of the message: 65 bytes as 0x and hex digits. */
  signature: string;
  /** The nonce of the challenge. Every attempt uses it up. */
  nonce: string;
}
export interface IssueKeyInput extends SignedInput {
  label?: string;
  /** Default: all scopes. */
  scopes?: Scope[];
}
export interface ManageKeyInput extends SignedInput {
  /** Id of the key. */
  id: number;
}
export interface ApplyAsCreatorInput extends SignedInput {
  displayName?: string;
  statement?: string;
}

// --- markets and trades ---
export interface ListMarketsInput extends PageInput {
  /** The status that the market shows now: from its resolve date on a market is `resolving`. */
  status?: MarketStatus;
  /** A category in any case. An unknown category matches no market. */
  category?: string;
  /** Default `volume_desc`. */
  sort?: MarketSort;
}
export interface CreateMarketInput {
  /** Address of an approved creator. */
  creator: string;
  question: string;
  description?: string;
  resolutionCriteria: string;
  /** When trading ends: at least 1 hour ahead. */
  resolveDate: string;
  category: string;
}
export interface ListTradesInput extends MarketReferenceInput, PageInput {
  side?: Side;
}
export interface QuoteInput extends MarketReferenceInput {
  /** Required with `amount` or `shares`. */
  side?: Side;
  /** Default `buy`. */
  action?: TradeAction;
  /** USD, fee included; buys only. One of `amount` and `shares`; with neither, `quote` is null. */
  amount?: number;
  shares?: number;
}
export interface PriceHistoryInput extends MarketReferenceInput {
  /** Default `1h`. */
  interval?: CandleInterval;
  /** Inclusive. */
  startTime?: string;
  /** Exclusive. */
  endTime?: string;
  /** 1 or more; at most 500 are served, the newest. Default 500. */
  limit?: number;
}
/** The caller's conditions on an order. src/domain/order-terms.ts says what each bounds: prices, shares or USD. */
export type OrderBoundsInput = BoundValues<number>;
export interface PlaceTradeInput extends WalletInput, MarketReferenceInput, OrderBoundsInput {
  side: Side;
  /** Default `buy`. */
  action?: TradeAction;
  /** USD, fee included; buys only. One of `amount` and `shares`. */
  amount?: number;
  /** `all` sells the whole position. */
  shares?: number | 'all';
  /** 1 to 128 printable ASCII characters. The same order with the same key is executed once. */
  idempotencyKey?: string;
}

// --- a wallet's own data ---
export interface ListPositionsInput extends WalletInput, PageInput {
  /** Default `open`. */
  status?: PositionStatus;
}
export interface ListWalletHistoryInput extends WalletInput, PageInput {}
export interface RequestWithdrawalInput extends WalletInput {
  /** USD; at least 0.01, or what the option `withdrawals` says. */
  amount: number;
  /** 1 to 128 printable ASCII characters. The same request with the same key is executed once. */
  idempotencyKey?: string;
}
export interface ListWithdrawalsInput extends WalletInput, PageInput {}
export interface GetWithdrawalInput extends WalletInput {
  id: number;
}

// --- what the pay-per-request API sells ---
export interface FeedInput {
  category?: string;
  /** 1 or more; at most 100 are served. Default 100. */
  limit?: number;
}
export interface QuestionInput {
  /** A question to be answered with yes or no. */
  question: string;
  resolutionCriteria?: string;
}
export interface MarketQuestionInput {
  /** The market whose question is asked. */
  marketId: number;
}

// --- operators ---
export interface ListPaymentsInput extends PageInput {
  status?: PaymentStatus;
}
export interface PaymentDecisionInput {
  id: number;
  /** Hash of the transaction that settled the payment, or that failed to. */
  transaction?: string;
  /** How the operator knows. It is stored with the payment. */
  reason: string;
}
export interface ConfirmWithdrawalInput {
  id: number;
  /** Hash of the transaction that paid the wallet. */
  transaction: string;
}
export interface FailWithdrawalInput {
  id: number;
  /** How the operator knows that the wallet was not paid and never will be; stored with the withdrawal. */
  reason: string;
}
export interface ListCreatorsInput extends PageInput {
  status?: CreatorStatus;
}
export interface JudgeCreatorInput extends AddressInput {
  /** A rejected creator sees it; only operators see the reason of a suspension. */
  reason: string;
}
export interface TreasuryDepositInput {
  /** USD. */
  amount: number;
  /** The operator's own reference. It is credited once, over all wallets and the treasury. */
  reference: string;
}
export interface DepositInput extends AddressInput, TreasuryDepositInput {}
export interface ResolveMarketInput extends MarketReferenceInput {
  /** `VOID` pays 0.50 USD for each share. */
  outcome: Outcome;
  note?: string;
}
export interface ListResolutionsInput extends PageInput {
  /** Default: all that are not done. */
  status?: OpenResolutionStatus;
}
export interface ConsumerInput {
  name: string;
}
export interface ListParkedFactsInput extends ConsumerInput, PageInput {}
/** Either `from` or `seq`. */
export interface ResumeConsumerInput extends ConsumerInput {
  /** `oldest`: the oldest fact that is stored. `now`: after the newest. */
  from?: 'now' | 'oldest';
  /** The number of the first fact to be handled. */
  seq?: number;
}
export interface RedoParkedFactsInput extends ConsumerInput {
  /** `id` of one parked fact. Default: all. */
  fact?: string;
}
export interface SkipParkedFactInput extends ConsumerInput {
  /** `id` of the parked fact. */
  fact: string;
}
export interface WebhookInput {
  id: number;
}
export interface CreateWebhookInput {
  /** https, and no private address, unless the option `webhooks.allowPrivate` is set. */
  url: string;
  description?: string;
  /** Default: all. */
  events?: WebhookEvent[];
  /** Number of the first fact to be sent. Default: facts from now on. */
  seq?: number;
}
export type ListWebhooksInput = PageInput;
export interface ReplayWebhookInput extends WebhookInput {
  /** Number of the first fact to be sent, once more or for the first time. */
  seq: number;
}
export interface RotateWebhookSecretInput extends WebhookInput {
  /** How long the older secrets sign too; 0 ends them at once. Default: a day. */
  overlapSeconds?: number;
}
export interface ListWebhookDeliveriesInput extends WebhookInput, PageInput {}
export interface UpdateKeyInput {
  id: number;
  /** Requests per rolling minute: 1 to 1,000,000. One of `rateLimit` and `scopes`, or both. */
  rateLimit?: number;
  scopes?: Scope[];
}
