/**
 * The typed methods for operators. The header of operations-types.ts describes their answers and errors. The host has
 * to make sure that only operators call these methods. `acting` names the operator for the operators' log.
 */
import type { AddressInput, MarketInput, MarketReferenceInput, PageInput } from './inputs';
import type {
  ActingOperator,
  ConfirmWithdrawalInput,
  CreateWebhookInput,
  DepositInput,
  FailWithdrawalInput,
  DecideCreatorInput,
  KeyInput,
  ListCreatorsInput,
  ListDepositsAsOperatorInput,
  ListMarketsAsOperatorInput,
  ListOpenWithdrawalsInput,
  ListOperatorLogInput,
  ListPaymentsInput,
  ListPostingsInput,
  ListResolutionsInput,
  ListWebhookDeliveriesInput,
  ListWebhooksInput,
  ListWithdrawalsAsOperatorInput,
  PaymentDecisionInput,
  RedoParkedFactsInput,
  ResumeConsumerInput,
  SkipParkedFactInput,
  ReplayWebhookInput,
  ResolveMarketInput,
  RotateWebhookSecretInput,
  TreasuryDepositInput,
  UpdateKeyInput,
  WebhookInput,
} from './operator-inputs';
import type { AuditOptions } from './usecases/accounts/audit';
import type { PaymentBacklogView } from './usecases/payments/payment-backlog';
import type { AccountView, DepositView } from './views/account';
import type { AuditView } from './views/audit';
import type {
  ConsumerListView,
  ConsumerView,
  ParkedFactListView,
  RemovedConsumerView,
} from './views/consumer';
import type { OperatorCreditListView } from './views/credit';
import type { CreatorListView, CreatorView } from './views/creator';
import type { KeyView, RevokedKeyView } from './views/key';
import type { MarketDetailView } from './views/market';
import type { OperatorLogView } from './views/operator-log';
import type { OperatorMarketListView } from './views/operator-market';
import type { PaymentListView, PaymentView } from './views/payment';
import type { PostingListView } from './views/posting';
import type { ResolutionEvidenceView, ResolutionListView } from './views/resolution';
import type { TreasuryDepositView, TreasuryView } from './views/treasury';
import type {
  RemovedWebhookView,
  WebhookDeliveryListView,
  WebhookListView,
  WebhookView,
  WebhookWithSecretView,
} from './views/webhook';
import type { OpenWithdrawalListView, OperatorWithdrawalListView, WithdrawalView } from './views/withdrawal';

export interface OperatorOperations {
  // --- payments and withdrawals ---
  /** One page of the payments for paid calls, newest first. Specification: Payment states. */
  listPayments(input?: ListPaymentsInput): Promise<PaymentListView>;
  /**
   * States that the money of a payment has arrived, and runs the paid call. Use this for a `submitted`
   * payment, or a `claimed` one with a `reason`, whose outcome the service cannot look up. Refused with
   * NOT_FOUND or ALREADY_RESOLVED. Specification: Payment states, Operators.
   */
  confirmPayment(input: PaymentDecisionInput, acting?: ActingOperator): Promise<PaymentView>;
  /**
   * States that the money of a payment has not arrived and never will. Use this for the same payments as
   * `confirmPayment`. Refused with NOT_FOUND or ALREADY_RESOLVED. Specification: Payment states, Operators.
   */
  rejectPayment(input: PaymentDecisionInput, acting?: ActingOperator): Promise<PaymentView>;
  /**
   * The number of payments on which work is left, and the age of the oldest, for each status. Only the 1,000 payments
   * that are due first are counted. docs/operations.md.
   */
  paymentBacklog(): Promise<PaymentBacklogView[]>;
  /** The pending and sent withdrawals of all wallets, oldest first. docs/money-in-and-out.md. */
  listOpenWithdrawals(input?: ListOpenWithdrawalsInput): Promise<OpenWithdrawalListView>;
  /**
   * States that a `sent` withdrawal was paid by this transaction. Use this for a withdrawal that does not end
   * without an operator. Refused with NOT_FOUND, ALREADY_RESOLVED or WITHDRAWAL_UNDER_WAY. Specification:
   * Withdrawals, Operators.
   */
  confirmWithdrawal(input: ConfirmWithdrawalInput, acting?: ActingOperator): Promise<WithdrawalView>;
  /**
   * States that a `pending` or `sent` withdrawal was not paid and never will be. The amount is given back.
   * Fail a `sent` withdrawal only when no transfer can pay it any more: docs/money-in-and-out.md says when
   * that is so. Refused with the codes of `confirmWithdrawal`. Specification: Withdrawals, Operators.
   */
  failWithdrawal(input: FailWithdrawalInput, acting?: ActingOperator): Promise<WithdrawalView>;

  // --- creators ---
  /** One page of creators with their applications. Specification: Creator status. */
  listCreators(input?: ListCreatorsInput): Promise<CreatorListView>;
  /** Approves a wallet. The wallet need not have applied. Specification: Creator status. */
  approveCreator(input: AddressInput, acting?: ActingOperator): Promise<CreatorView>;
  /** Rejects a wallet, which sees the reason. Specification: Creator status. */
  rejectCreator(input: DecideCreatorInput, acting?: ActingOperator): Promise<CreatorView>;
  /** Suspends a wallet, which then cannot create further markets. Specification: Creator status. */
  suspendCreator(input: DecideCreatorInput, acting?: ActingOperator): Promise<CreatorView>;

  // --- money ---
  /**
   * Credits a wallet with money from outside. The same deposit again gets the same answer and credits nothing.
   * Another deposit with the same reference is refused with IDEMPOTENCY_CONFLICT. Specification: Money,
   * Operators.
   * @example
   * await pm.deposit({ address, amount: 100, reference: 'transfer 4711' }, { operator: 'Ann' });
   */
  deposit(input: DepositInput, acting?: ActingOperator): Promise<DepositView>;
  /**
   * Credits the treasury with money from outside. A reference is credited once, as with `deposit`.
   * Specification: House risk, Operators.
   */
  depositToTreasury(input: TreasuryDepositInput, acting?: ActingOperator): Promise<TreasuryDepositView>;
  /**
   * The money of the house, what the house can still lose, and whether it is solvent. Specification: House risk.
   */
  getTreasury(): Promise<TreasuryView>;
  /** The money of a wallet. All figures are zero for a wallet that never had money. Specification: Balance. */
  getAccount(input: AddressInput): Promise<AccountView>;
  /** One page of a wallet's deposits with their references, newest first. docs/http-api.md. */
  listDepositsAsOperator(input: ListDepositsAsOperatorInput): Promise<OperatorCreditListView>;
  /** One page of all withdrawals of a wallet, newest first, with why each has failed. docs/http-api.md. */
  listWithdrawalsAsOperator(input: ListWithdrawalsAsOperatorInput): Promise<OperatorWithdrawalListView>;
  /**
   * One page of what has changed the balance of a wallet, newest first. `next` is the `after` of the next page. The
   * fees that the wallet earns as the creator of markets are not listed. docs/http-api.md.
   */
  listPostings(input: ListPostingsInput): Promise<PostingListView>;

  // --- markets and their resolution ---
  /**
   * Ends trading now and hands the market to the oracle. Refused with MARKET_NOT_FOUND, or with MARKET_CLOSED if the
   * market is resolved. Specification: Market states, Operators.
   */
  closeMarket(input: MarketReferenceInput, acting?: ActingOperator): Promise<MarketDetailView>;
  /**
   * Decides a market's outcome. The first thousand positions are paid at once, and jobs pay the others. Refused
   * with MARKET_NOT_FOUND, or with ALREADY_RESOLVED if the market has another outcome. Specification: Resolution,
   * Operators.
   * @example
   * await pm.resolveMarket({ market: 1, outcome: 'YES' }, { operator: 'Ann' });
   */
  resolveMarket(input: ResolveMarketInput, acting?: ActingOperator): Promise<MarketDetailView>;
  /**
   * One page of the markets with the state of their resolution, by default earliest resolve date first.
   * docs/resolution.md.
   */
  listMarketsAsOperator(input?: ListMarketsAsOperatorInput): Promise<OperatorMarketListView>;
  /** One page of the markets that are closed and not resolved, by id. docs/resolution.md. */
  listResolutions(input?: ListResolutionsInput): Promise<ResolutionListView>;
  /**
   * The newest 200 rounds of the oracle on a market, with their votes and costs. Refused with
   * MARKET_NOT_FOUND.
   */
  getResolutionEvidence(market: MarketInput): Promise<ResolutionEvidenceView>;
  /**
   * Asks the oracle again about a market that waits for an operator. Refused with MARKET_NOT_FOUND or
   * NOT_ESCALATED. docs/resolution.md.
   */
  retryResolution(input: MarketReferenceInput, acting?: ActingOperator): Promise<ResolutionEvidenceView>;

  // --- keys of wallets ---
  /**
   * Gives an active key another rate limit or other scopes. Refused with KEY_NOT_FOUND. Specification:
   * Operators.
   */
  updateKey(input: UpdateKeyInput, acting?: ActingOperator): Promise<KeyView>;
  /**
   * Revokes an active key without a signature of its wallet. Refused with KEY_NOT_FOUND. Specification:
   * Managing keys, Operators.
   */
  revokeKeyAsOperator(input: KeyInput, acting?: ActingOperator): Promise<RevokedKeyView>;

  // --- consumers ---
  /** All consumers, by name: the position of each, and why it is stopped. docs/live.md "Consumers". */
  consumers(): Promise<ConsumerListView>;
  /**
   * Moves the position of a consumer. Facts between the old and a later position are left out. Facts after an earlier
   * position are handled once more. Refused with NOT_FOUND or FACTS_REMOVED.
   */
  resumeConsumer(
    name: string,
    input: Omit<ResumeConsumerInput, 'name'>,
    acting?: ActingOperator,
  ): Promise<ConsumerView>;
  /** Removes a consumer with its parked facts. Refused with NOT_FOUND or CONSUMER_IN_USE. */
  removeConsumer(name: string, acting?: ActingOperator): Promise<RemovedConsumerView>;
  /** One page of the parked facts of a consumer, the lowest number first. Refused with NOT_FOUND. */
  listParkedFacts(name: string, input?: PageInput): Promise<ParkedFactListView>;
  /** Has the handler try one parked fact, or all parked facts, once more. Refused with NOT_FOUND. */
  redoParkedFacts(
    name: string,
    input?: Omit<RedoParkedFactsInput, 'name'>,
    acting?: ActingOperator,
  ): Promise<ConsumerView>;
  /** Removes a parked fact without another attempt. Refused with NOT_FOUND. */
  skipParkedFact(
    name: string,
    input: Omit<SkipParkedFactInput, 'name'>,
    acting?: ActingOperator,
  ): Promise<ConsumerView>;

  // --- webhooks ---
  /**
   * Sends facts to an address, signed by the secret that only this answer shows. Refused with WEBHOOK_LIMIT or
   * FACTS_REMOVED. docs/live.md "Webhooks".
   */
  createWebhook(input: CreateWebhookInput, acting?: ActingOperator): Promise<WebhookWithSecretView>;
  /** One page of the webhooks, by id, without their secrets. docs/live.md "Webhooks". */
  listWebhooks(input?: ListWebhooksInput): Promise<WebhookListView>;
  /** Removes a webhook with its deliveries. Refused with NOT_FOUND. */
  removeWebhook(input: WebhookInput, acting?: ActingOperator): Promise<RemovedWebhookView>;
  /** Enables a webhook, which continues at its position, with an attempt at once. Refused with NOT_FOUND. */
  enableWebhook(input: WebhookInput, acting?: ActingOperator): Promise<WebhookView>;
  /**
   * Moves the position of a webhook, so that the fact `seq` is the next one. Facts that were sent before are sent
   * again, and facts between the old and a later position are left out. Refused with NOT_FOUND or FACTS_REMOVED.
   */
  replayWebhook(input: ReplayWebhookInput, acting?: ActingOperator): Promise<WebhookView>;
  /**
   * Makes a new secret, which only this answer shows. Each message is also signed with the older secrets, for at most
   * `overlapSeconds`. Refused with NOT_FOUND, or with WEBHOOK_LIMIT when five secrets are in use and `overlapSeconds`
   * is not 0.
   */
  rotateWebhookSecret(
    input: RotateWebhookSecretInput,
    acting?: ActingOperator,
  ): Promise<WebhookWithSecretView>;
  /** The newest attempts to deliver, newest first. Refused with NOT_FOUND. */
  listWebhookDeliveries(input: ListWebhookDeliveriesInput): Promise<WebhookDeliveryListView>;

  // --- the log and the books ---
  /** One page of what operators have changed, newest first. docs/operations.md "The operators' log". */
  listOperatorLog(input?: ListOperatorLogInput): Promise<OperatorLogView>;
  /** Recomputes the books from entries, withdrawals and trades, at one moment. Specification: Ledger. */
  audit(options?: AuditOptions): Promise<AuditView>;
}
