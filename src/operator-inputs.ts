import type { OperatorAction } from './domain/operator-acts';
import type { OpenResolutionStatus } from './domain/oracle/resolution-state';
import type { PaymentStatus } from './domain/payments';
import type { CreatorStatus, MarketStatus, Outcome, Scope } from './domain/types';
import type { WebhookEvent } from './domain/webhooks';
import type { OpenStatus } from './domain/withdrawals';
import type { MarketSort } from './ports/storage';
import type { AddressInput, MarketReferenceInput, PageInput } from './inputs';

/** Who acts, for the operators' log. */
export interface ActingOperator {
  /** The name of the operator: one line of at most 100 characters. Default `host`. */
  operator?: string | undefined;
}
export interface ListOperatorLogInput {
  /** Only acts of this operator. Default: of all. */
  operator?: string | undefined;
  /** Default: all actions. */
  action?: OperatorAction | undefined;
  /** Only acts on this wallet, id or name. Default: on all. */
  target?: string | undefined;
  /** Only acts from this instant on, in ISO 8601 with an offset. */
  since?: string | undefined;
  /** Only acts before this instant, in ISO 8601 with an offset. */
  until?: string | undefined;
  /** How many rows to return: 1 or more; at most 100 are served. Default 20. */
  limit?: number | undefined;
  /** How many rows to skip. Default 0. */
  offset?: number | undefined;
}
export interface ListPaymentsInput extends PageInput {
  /** Default: all statuses. */
  status?: PaymentStatus | undefined;
}
export interface PaymentDecisionInput {
  /** The number of the payment. */
  id: number;
  /** The hash of the transaction that settled the payment, or that failed to settle it. */
  transaction?: string | undefined;
  /** How the operator knows the outcome. The text is stored with the payment. */
  reason: string;
}
export interface ListDepositsAsOperatorInput extends AddressInput, PageInput {}
export interface ListWithdrawalsAsOperatorInput extends AddressInput, PageInput {}
export interface ListPostingsInput extends AddressInput {
  /** How many postings to return: 1 or more; at most 100 are served. Default 20. */
  limit?: number | undefined;
  /** The `next` of the page before. Default: from the newest posting on. */
  after?: string | undefined;
}
export interface ListOpenWithdrawalsInput {
  /** Default: `pending` and `sent`. */
  status?: OpenStatus | undefined;
  /** Only withdrawals with a greater id. Default 0: from the oldest on. */
  after?: number | undefined;
  /** How many withdrawals to return: 1 or more; at most 100 are served. Default 20. */
  limit?: number | undefined;
}
export interface ConfirmWithdrawalInput {
  /** The number of the withdrawal. */
  id: number;
  /** The hash of the transaction that paid the wallet. */
  transaction: string;
}
export interface FailWithdrawalInput {
  /** The number of the withdrawal. */
  id: number;
  /** How the operator knows that the wallet was not paid and never will be. Stored with the withdrawal. */
  reason: string;
}
export interface ListCreatorsInput extends PageInput {
  /** Default: all statuses. */
  status?: CreatorStatus | undefined;
}
export interface DecideCreatorInput extends AddressInput {
  /** Why the operator decided so. A rejected creator sees the reason. A suspended creator does not see it. */
  reason: string;
}
export interface TreasuryDepositInput {
  /** In USD, with at most 6 decimals. */
  amount: number;
  /** The operator's own reference. Each reference is credited once, over all wallets and the treasury. */
  reference: string;
}
export interface DepositInput extends AddressInput, TreasuryDepositInput {}
export interface ResolveMarketInput extends MarketReferenceInput {
  /** `VOID` pays 0.50 USD for each share. */
  outcome: Outcome;
  /** Why the operator decided so. The public resolution of the market shows the text. */
  note?: string | undefined;
}
export interface ListMarketsAsOperatorInput extends PageInput {
  /** The status that the market shows now. */
  status?: MarketStatus | undefined;
  /**
   * Only closed markets whose resolution has this state, sorted by market id. Cannot be combined with `sort`,
   * or with a `status` other than `resolving`.
   */
  progress?: OpenResolutionStatus | undefined;
  /** Default `resolve_asc`: earliest resolve date first. */
  sort?: MarketSort | undefined;
}
export interface ListResolutionsInput extends PageInput {
  /** Default: all resolutions that are not done. */
  status?: OpenResolutionStatus | undefined;
}
export interface ConsumerInput {
  /** The name of the consumer. */
  name: string;
}
export interface ListParkedFactsInput extends ConsumerInput, PageInput {}
/** Give either `from` or `seq`. */
export interface ResumeConsumerInput extends ConsumerInput {
  /** `oldest`: the oldest stored fact is the first to be handled. `now`: the first new fact. */
  from?: 'now' | 'oldest' | undefined;
  /** The number of the first fact to be handled. */
  seq?: number | undefined;
}
export interface RedoParkedFactsInput extends ConsumerInput {
  /** The `id` of one parked fact. Default: all parked facts. */
  fact?: string | undefined;
}
export interface SkipParkedFactInput extends ConsumerInput {
  /** The `id` of the parked fact. */
  fact: string;
}
export interface WebhookInput {
  /** The number of the webhook. */
  id: number;
}
export interface CreateWebhookInput {
  /** An https address on the public internet. With the option `webhooks.allowPrivate`, any http(s) address. */
  url: string;
  /** A text of your own, for operators. */
  description?: string | undefined;
  /** The events that are sent. Default: all. */
  events?: WebhookEvent[] | undefined;
  /** The number of the first fact to be sent. Default: facts from now on. */
  seq?: number | undefined;
}
export type ListWebhooksInput = PageInput;
export interface ReplayWebhookInput extends WebhookInput {
  /** The number of the first fact to be sent, also if it was sent before. */
  seq: number;
}
export interface RotateWebhookSecretInput extends WebhookInput {
  /** For how many seconds the older secrets sign too. With 0 they stop at once. Default: a day. */
  overlapSeconds?: number | undefined;
}
export interface ListWebhookDeliveriesInput extends WebhookInput, PageInput {}
export interface KeyInput {
  /** The number of the key. */
  id: number;
}
export interface UpdateKeyInput {
  /** The number of the key. */
  id: number;
  /** The requests that the key may make in a rolling minute: 1 to 1,000,000. Give `rateLimit` or `scopes`, or both. */
  rateLimit?: number | undefined;
  /** What the key may do from now on. */
  scopes?: Scope[] | undefined;
}
