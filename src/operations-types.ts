/**
 * The typed methods of a prediction market: calls of the HTTP API without HTTP.
 *
 * Each method checks its input by the schema that the HTTP API uses (src/inputs.ts has the shapes and units). It
 * answers with the JSON that the API documents: USD and shares as numbers, prices as probabilities, instants as ISO
 * 8601 texts, addresses in EIP-55 form. A refused call rejects with a `PredictionMarketError`, and docs/errors.md
 * lists the codes. Every method may reject with VALIDATION_ERROR (if it has an input) and SERVICE_UNAVAILABLE (the
 * storage fails, or the service has not started). The comments below name the other codes. A fault of the service
 * rejects with an error of another class.
 *
 * A method acts for the wallet that its input names. The host has to authenticate that wallet before the call. Only
 * the methods that take a signature authenticate the wallet themselves. "Specification:" in a comment names sections
 * of docs/specification.md.
 *
 * operator-operations-types.ts has the methods for operators.
 */
import type {
  AddressInput,
  ApplyAsCreatorInput,
  ChallengeInput,
  CreateMarketInput,
  MarketFeedInput,
  GetWithdrawalInput,
  IssueKeyInput,
  ListMarketsInput,
  ListPositionsInput,
  ListTradesInput,
  ListWalletHistoryInput,
  ListDepositsInput,
  ListEarningsInput,
  ListWithdrawalsInput,
  ManageKeyInput,
  MarketInput,
  MarketQuestionInput,
  PlaceTradeInput,
  PriceHistoryInput,
  QuestionInput,
  QuoteInput,
  RequestWithdrawalInput,
  WalletInput,
} from './inputs';
import type { BalanceView } from './views/account';
import type { CreatorStatusView } from './views/creator';
import type { MarketFeedView } from './views/market-feed';
import type { ChallengeView, IssuedKeyView, KeyListView, RevokedKeyView } from './views/key';
import type { MarketDetailView, MarketListView, MarketPreviewView } from './views/market';
import type { OracleAnswerView } from './views/oracle';
import type { PositionListView } from './views/position';
import type { PriceHistoryView, PriceView } from './views/price';
import type { MarketResolutionView } from './views/resolution';
import type { ResolutionProgressView } from './views/resolution-progress';
import type { ExecutedTradeView, TradeListView, WalletHistoryView } from './views/trade';
import type { CreditListView } from './views/credit';
import type { EarningsView } from './views/earnings';
import type { WithdrawalListView, WithdrawalView } from './views/withdrawal';
import type { OperatorOperations } from './operator-operations-types';

export interface Operations extends OperatorOperations {
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
   * The state of the wallet's application. `none` for a wallet that never applied and about which no
   * operator has decided. Specification: Creator status.
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
  /**
   * The outcome of a market, who decided, and the votes of the newest ended round. Refused with
   * MARKET_NOT_FOUND.
   */
  getMarketResolution(market: MarketInput): Promise<MarketResolutionView>;
  /**
   * What the resolution of a closed market waits for: the next round, the end of a challenge period, or an operator.
   * `null` until the market is closed, and once it is resolved. Refused with MARKET_NOT_FOUND. The HTTP API has no
   * public route for this.
   */
  getResolutionProgress(market: MarketInput): Promise<ResolutionProgressView | null>;
  /**
   * Opens a market. Refused with INSUFFICIENT_PERMISSIONS (the creator is not approved) or EXPOSURE_LIMIT.
   * Specification: Creating a market, House risk.
   * @example
   * const { id } = await pm.createMarket({
   *   creator: address,
   *   question: 'Will it rain in Paris on New Year?',
   *   resolutionCriteria: 'Météo-France reports rain for Paris on 1 January.',
   *   resolveDate: '2031-01-02T00:00:00Z',
   *   category: 'science',
   * });
   */
  createMarket(input: CreateMarketInput): Promise<MarketDetailView>;
  /**
   * What `createMarket` would open, for a preview: the same checks of the fields, and nothing is stored. Does not
   * check whether the slug is free, whether the creator is approved, or whether the market exceeds an exposure limit.
   * The HTTP API has no route for this.
   */
  previewMarket(input: Omit<CreateMarketInput, 'creator'>): Promise<MarketPreviewView>;
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
   * @example
   * const { shares, totalCost } = await pm.placeTrade({
   *   wallet: address,
   *   market: 1,
   *   side: 'YES',
   *   amount: 10,
   *   maxPrice: 0.6,
   * });
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
  /** One page of the wallet's deposits, newest first. Specification: Balance. */
  listDeposits(input: ListDepositsInput): Promise<CreditListView>;
  /**
   * One page of the markets that a wallet has created, newest first, with the fees that the wallet has earned on
   * each.
   */
  listEarnings(input: ListEarningsInput): Promise<EarningsView>;
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
  getMarketFeed(input?: MarketFeedInput): Promise<MarketFeedView>;
  /**
   * The oracle's answer to a question, or to the question of a market. Refused with MARKET_NOT_FOUND or
   * ORACLE_UNAVAILABLE. Specification: Paid calls.
   */
  askQuestion(input: QuestionInput | MarketQuestionInput): Promise<OracleAnswerView>;
}
