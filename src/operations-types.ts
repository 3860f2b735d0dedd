/**
 * The typed methods of a prediction market: everything that the HTTP API can do, without HTTP.
 *
 * Each method checks its input by the schema that the HTTP API uses (src/inputs.ts has the shapes and units).
 * It answers with the JSON that the API documents: USD and shares as numbers, prices as probabilities,
 * instants as ISO 8601 texts, addresses in EIP-55 form. A refused call rejects with a
 * `PredictionMarketError`, and docs/errors.md lists the codes. Every method may reject with VALIDATION_ERROR,
 * SERVICE_UNAVAILABLE (the storage is away, or the market has not started) and INTERNAL_ERROR. The comments
 * below name the other codes.
 *
 * A method acts for the wallet that its input names. The host has to authenticate that wallet before the
 * call. "Specification:" in a comment names sections of docs/specification.md.
 */
import type {
  AddressInput,
  ApplyAsCreatorInput,
  ChallengeInput,
  ConfirmWithdrawalInput,
  CreateMarketInput,
  CreateWebhookInput,
  DepositInput,
  FailWithdrawalInput,
  FeedInput,
  GetWithdrawalInput,
  IssueKeyInput,
  JudgeCreatorInput,
  ListCreatorsInput,
  ListMarketsInput,
  ListPaymentsInput,
  ListPositionsInput,
  ListResolutionsInput,
  ListTradesInput,
  ListWalletHistoryInput,
  ListWebhookDeliveriesInput,
  ListWebhooksInput,
  ListWithdrawalsInput,
  ManageKeyInput,
  MarketInput,
  MarketQuestionInput,
  MarketReferenceInput,
  PageInput,
  PaymentDecisionInput,
  RedoParkedFactsInput,
  ResumeConsumerInput,
  SkipParkedFactInput,
  PlaceTradeInput,
  PriceHistoryInput,
  QuestionInput,
  QuoteInput,
  ReplayWebhookInput,
  RequestWithdrawalInput,
  ResolveMarketInput,
  RotateWebhookSecretInput,
  TreasuryDepositInput,
  UpdateKeyInput,
  WalletInput,
  WebhookInput,
} from './inputs';
import type { AccountView, BalanceView, DepositView } from './views/account';
import type { AuditView } from './views/audit';
import type {
  ConsumerListView,
  ConsumerView,
  ParkedFactListView,
  RemovedConsumerView,
} from './views/consumer';
import type { CreatorListView, CreatorStatusView, CreatorView } from './views/creator';
import type { FeedView } from './views/feed';
import type { ChallengeView, IssuedKeyView, KeyListView, KeyView, RevokedKeyView } from './views/key';
import type { MarketDetailView, MarketListView } from './views/market';
import type { OracleAnswerView } from './views/oracle';
import type { PaymentListView, PaymentView } from './views/payment';
import type { PositionListView } from './views/position';
import type { PriceHistoryView, PriceView } from './views/price';
import type { MarketResolutionView, ResolutionEvidenceView, ResolutionListView } from './views/resolution';
import type { ExecutedTradeView, TradeListView, WalletHistoryView } from './views/trade';
import type { TreasuryDepositView, TreasuryView } from './views/treasury';
import type {
  RemovedWebhookView,
  WebhookDeliveryListView,
  WebhookListView,
  WebhookView,
  WebhookWithSecretView,
} from './views/webhook';
import type { WithdrawalListView, WithdrawalView } from './views/withdrawal';

export interface Operations {
  // --- keys and creators ---
  /** Issues a message for the wallet to sign. Specification: Challenges. */
  issueChallenge(input: ChallengeInput): Promise<ChallengeView>;
  /**
   * Issues an API key to the wallet that signed a challenge of the action `issue`. The raw key is in this
   * answer only. Refused with INVALID_NONCE, INVALID_SIGNATURE or KEY_LIMIT_REACHED. Specification: Key format,
   * Managing keys, Scopes.
   */
  issueKey(input: IssueKeyInput): Promise<IssuedKeyView>;
  /** The wallet's active keys, without the raw keys. Specification: Managing keys. */
  listKeys(input: AddressInput): Promise<KeyListView>;
  /**
   * Revokes a key of the wallet that signed a challenge of the action `revoke`. Refused with INVALID_NONCE,
   * INVALID_SIGNATURE or KEY_NOT_FOUND. Specification: Managing keys.
   */
  revokeKey(input: ManageKeyInput): Promise<RevokedKeyView>;
  /**
   * Revokes a key and issues its successor with the same label, scopes and rate limit; the challenge has the
   * action `regenerate`. Refused with INVALID_NONCE, INVALID_SIGNATURE or KEY_NOT_FOUND. Specification:
   * Managing keys.
   */
  regenerateKey(input: ManageKeyInput): Promise<IssuedKeyView>;
  /**
   * The state of the wallet's application. `none` for a wallet that never applied. Specification: Creator
   * status.
   */
  creatorStatus(input: AddressInput): Promise<CreatorStatusView>;
  /**
   * Applies as a creator for the wallet that signed a challenge of the action `apply`. Refused with
   * INVALID_NONCE or INVALID_SIGNATURE. Specification: Creator status.
   */
  applyAsCreator(input: ApplyAsCreatorInput): Promise<CreatorStatusView>;

  // --- markets and trades ---
  /** One page of markets. Specification: Lists, Market object. */
  listMarkets(input?: ListMarketsInput): Promise<MarketListView>;
  /**
   * One market with its description and resolution. Refused with MARKET_NOT_FOUND. Specification: Market
   * object.
   */
  getMarket(market: MarketInput): Promise<MarketDetailView>;
  /** The outcome of a market, who decided, and the votes that it rests on. Refused with MARKET_NOT_FOUND. */
  getMarketResolution(market: MarketInput): Promise<MarketResolutionView>;
  /**
   * Opens a market. Refused with INSUFFICIENT_PERMISSIONS (the creator is not approved) or EXPOSURE_LIMIT.
   * Specification: Creating a market, House risk.
   */
  createMarket(input: CreateMarketInput): Promise<MarketDetailView>;
  /**
   * One page of a market's trades, newest first. Refused with MARKET_NOT_FOUND. Specification: Trade object,
   * Lists.
   */
  listTrades(input: ListTradesInput): Promise<TradeListView>;
  /**
   * A market's prices, and a quote if `amount` or `shares` is given. Refused with MARKET_NOT_FOUND; a quote
   * also with MARKET_CLOSED or PRICE_LIMIT. Specification: Quotes.
   */
  getPrice(input: QuoteInput): Promise<PriceView>;
  /** Candles of the YES price, oldest first. Refused with MARKET_NOT_FOUND. Specification: Price history. */
  getPriceHistory(input: PriceHistoryInput): Promise<PriceHistoryView>;
  /**
   * Executes an order, or refuses it as a whole with MARKET_NOT_FOUND, MARKET_CLOSED, INSUFFICIENT_BALANCE,
   * INSUFFICIENT_SHARES, SLIPPAGE_EXCEEDED, PRICE_LIMIT or IDEMPOTENCY_CONFLICT. Specification: Trading,
   * Idempotency, Fees.
   */
  placeTrade(input: PlaceTradeInput): Promise<ExecutedTradeView>;

  // --- a wallet's own data ---
  /**
   * One page of the wallet's positions, newest market first, valued at current prices. Specification:
   * Positions.
   */
  listPositions(input: ListPositionsInput): Promise<PositionListView>;
  /**
   * One page of the wallet's trades and position payouts, newest first. Specification: Trade object, Payouts of
   * positions.
   */
  listWalletHistory(input: ListWalletHistoryInput): Promise<WalletHistoryView>;
  /** The wallet's money and the value of its open positions, at one moment. Specification: Balance. */
  getBalance(input: WalletInput): Promise<BalanceView>;
  /**
   * Reserves the amount at once. A job sends it to the wallet soon after. Refused with INSUFFICIENT_BALANCE,
   * WITHDRAWAL_LIMIT, IDEMPOTENCY_CONFLICT, or NOT_FOUND (the host sends no withdrawals). Specification:
   * Withdrawals.
   */
  requestWithdrawal(input: RequestWithdrawalInput): Promise<WithdrawalView>;
  /** One page of the wallet's withdrawals, newest first. Specification: Withdrawals. */
  listWithdrawals(input: ListWithdrawalsInput): Promise<WithdrawalListView>;
  /** One withdrawal of the wallet. Refused with NOT_FOUND. Specification: Withdrawals. */
  getWithdrawal(input: GetWithdrawalInput): Promise<WithdrawalView>;

  // --- the paid calls, for a host that does not charge for them ---
  /** Open markets with their prices and volumes, at one moment. Specification: Paid calls. */
  getFeed(input?: FeedInput): Promise<FeedView>;
  /**
   * The oracle's answer to a question, or to the question of a market. Refused with MARKET_NOT_FOUND or
   * ORACLE_UNAVAILABLE. Specification: Paid calls.
   */
  askOracle(input: QuestionInput | MarketQuestionInput): Promise<OracleAnswerView>;

  // --- operators ---
  /** One page of the payments for paid calls, newest first. Specification: Payment states. */
  listPayments(input?: ListPaymentsInput): Promise<PaymentListView>;
  /**
   * States that a `submitted` payment has arrived, and runs the paid call. Use this for a settlement
   * that the service cannot look up. Refused with NOT_FOUND or ALREADY_RESOLVED. Specification: Payment states,
   * Operators.
   */
  confirmPayment(input: PaymentDecisionInput): Promise<PaymentView>;
  /**
   * States that a `submitted` payment has not arrived and never will. Refused with NOT_FOUND or
   * ALREADY_RESOLVED. Specification: Payment states, Operators.
   */
  rejectPayment(input: PaymentDecisionInput): Promise<PaymentView>;
  /**
   * States that a `sent` withdrawal was paid by this transaction. Use this for a withdrawal that does not end
   * without an operator. Refused with NOT_FOUND, ALREADY_RESOLVED or WITHDRAWAL_UNDER_WAY. Specification:
   * Withdrawals, Operators.
   */
  confirmWithdrawal(input: ConfirmWithdrawalInput): Promise<WithdrawalView>;
  /**
   * States that a `pending` or `sent` withdrawal was not paid and never will be. The amount is given back. Fail
   * a `sent` withdrawal only when no transfer can pay it any more: docs/money-in-and-out.md says when that is
   * so. Refused as `confirmWithdrawal`. Specification: Withdrawals, Operators.
   */
  failWithdrawal(input: FailWithdrawalInput): Promise<WithdrawalView>;
  /** One page of creators with their applications. Specification: Creator status. */
  listCreators(input?: ListCreatorsInput): Promise<CreatorListView>;
  /** Approves a wallet. The wallet need not have applied. Specification: Creator status. */
  approveCreator(input: AddressInput): Promise<CreatorView>;
  /** Rejects a wallet. The creator sees the reason. Specification: Creator status. */
  rejectCreator(input: JudgeCreatorInput): Promise<CreatorView>;
  /** Suspends a wallet, which then cannot create further markets. Specification: Creator status. */
  suspendCreator(input: JudgeCreatorInput): Promise<CreatorView>;
  /**
   * Credits a wallet with money from outside. The same deposit again gets the same answer and credits nothing.
   * Another deposit with the same reference is refused with IDEMPOTENCY_CONFLICT. Specification: Money,
   * Operators.
   */
  deposit(input: DepositInput): Promise<DepositView>;
  /**
   * Credits the treasury with money from outside. The rule about references is that of `deposit`.
   * Specification: House risk, Operators.
   */
  depositToTreasury(input: TreasuryDepositInput): Promise<TreasuryDepositView>;
  /**
   * The money of the house, what it can still lose, and whether it can pay what it owes. Specification: House
   * risk.
   */
  getTreasury(): Promise<TreasuryView>;
  /** The money of a wallet. All figures are zero for a wallet that never had money. Specification: Balance. */
  getAccount(input: AddressInput): Promise<AccountView>;
  /**
   * Ends trading now and hands the market to the oracle. Refused with MARKET_NOT_FOUND or MARKET_CLOSED.
   * Specification: Market states, Operators.
   */
  closeMarket(input: MarketReferenceInput): Promise<MarketDetailView>;
  /**
   * Decides a market's outcome. Jobs pay the positions out. Refused with MARKET_NOT_FOUND or ALREADY_RESOLVED.
   * Specification: Resolution, Operators.
   */
  resolveMarket(input: ResolveMarketInput): Promise<MarketDetailView>;
  /** One page of the markets that are closed and not resolved, by id. docs/resolution.md. */
  listResolutions(input?: ListResolutionsInput): Promise<ResolutionListView>;
  /** The rounds of the oracle on a market, with their votes and costs. Refused with MARKET_NOT_FOUND. */
  getResolutionEvidence(market: MarketInput): Promise<ResolutionEvidenceView>;
  /**
   * Puts a market that waits for an operator to the oracle anew. Refused with MARKET_NOT_FOUND or
   * NOT_ESCALATED. docs/resolution.md.
   */
  retryResolution(input: MarketReferenceInput): Promise<ResolutionEvidenceView>;
  /**
   * Gives an active key another rate limit or other scopes. Refused with KEY_NOT_FOUND. Specification:
   * Operators.
   */
  updateKey(input: UpdateKeyInput): Promise<KeyView>;
  /** All consumers, by name: how far they are, and what is wrong. docs/live.md "Consumers". */
  consumers(): Promise<ConsumerListView>;
  /**
   * Moves the position of a consumer: forward leaves facts out, back handles facts once more. Refused with
   * NOT_FOUND or FACTS_REMOVED.
   */
  resumeConsumer(name: string, input: Omit<ResumeConsumerInput, 'name'>): Promise<ConsumerView>;
  /** Removes a consumer with its parked facts. Refused with NOT_FOUND or CONSUMER_IN_USE. */
  removeConsumer(name: string): Promise<RemovedConsumerView>;
  /** One page of the parked facts of a consumer, the lowest number first. Refused with NOT_FOUND. */
  listParkedFacts(name: string, input?: PageInput): Promise<ParkedFactListView>;
  /** Has the handler try one parked fact, or all, once more. Refused with NOT_FOUND. */
  redoParkedFacts(name: string, input?: Omit<RedoParkedFactsInput, 'name'>): Promise<ConsumerView>;
  /** Takes a parked fact out, which is then never handled. Refused with NOT_FOUND. */
  skipParkedFact(name: string, input: Omit<SkipParkedFactInput, 'name'>): Promise<ConsumerView>;
  /**
   * Sends facts to an address, signed by the secret that only this answer shows. Refused with WEBHOOK_LIMIT or
   * FACTS_REMOVED. docs/live.md "Webhooks".
   */
  createWebhook(input: CreateWebhookInput): Promise<WebhookWithSecretView>;
  /** One page of the webhooks, by id, without their secrets. docs/live.md "Webhooks". */
  listWebhooks(input?: ListWebhooksInput): Promise<WebhookListView>;
  /** Removes a webhook with its deliveries. Refused with NOT_FOUND. */
  removeWebhook(input: WebhookInput): Promise<RemovedWebhookView>;
  /** Enables a webhook. It continues at its position, with an attempt at once. Refused with NOT_FOUND. */
  enableWebhook(input: WebhookInput): Promise<WebhookView>;
  /**
   * Sends all facts from a number on, also facts that were sent before. Refused with NOT_FOUND or
   * FACTS_REMOVED.
   */
  replayWebhook(input: ReplayWebhookInput): Promise<WebhookView>;
  /**
   * Makes a new secret, which only this answer shows. Older secrets sign too until the overlap is over. Refused
   * with NOT_FOUND or WEBHOOK_LIMIT.
   */
  rotateWebhookSecret(input: RotateWebhookSecretInput): Promise<WebhookWithSecretView>;
  /** The newest attempts to deliver, newest first. Refused with NOT_FOUND. */
  listWebhookDeliveries(input: ListWebhookDeliveriesInput): Promise<WebhookDeliveryListView>;
  /** Recomputes the books from entries, withdrawals and trades, at one moment. Specification: Ledger. */
  audit(): Promise<AuditView>;
}
