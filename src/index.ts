export {
  createPredictionMarket,
  type LiveFigures,
  type PredictionMarket,
  type PredictionMarketEvents,
} from './create-prediction-market';
export type { StartOptions } from './life-cycle';
export type { PredictionMarketOptions } from './prediction-market-options';
export type { WebhookOptions } from './webhook-options';
export type { LiveOptions } from './live-options';
export type { OracleOptions } from './oracle-options';
export type { WebSocketOptions } from './live/websocket/bridge';
export type { OperatorName } from './http/operator-name';
export { operatorOfToken, parseOperatorTokens, type OperatorTokens } from './http/operator-tokens';
export { requireToken, type RequireTokenOptions } from './http/require-token';
export { parseTrustProxy } from './http/trust-proxy';
export type { TrustProxy } from './live/websocket/trusted-proxies';
export type { AttachableServer } from './live/websocket/attachable-server';
export type { SocketFigures } from './live/websocket/types';
export type { FeedFigures } from './live/feed/types';
export type * from './operations-types';
export type * from './operator-operations-types';
export type * from './inputs';
export type * from './operator-inputs';
// --- what the methods answer ---
export type { AccountView, BalanceView, DepositView } from './views/account';
export type { AlarmListView, AlarmView } from './views/alarm';
export type { AuditView } from './views/audit';
export type {
  ConsumerListView,
  ConsumerView,
  ParkedFactListView,
  ParkedFactView,
  RemovedConsumerView,
} from './views/consumer';
export type { CreatorListView, CreatorStatusView, CreatorView } from './views/creator';
export type { MarketFeedItemView, MarketFeedView } from './views/market-feed';
export type {
  ChallengeView,
  IssuedKeyView,
  KeyListView,
  KeyView,
  LimitsView,
  RevokedKeyView,
} from './views/key';
export type {
  MarketDetailView,
  MarketListView,
  MarketPreviewView,
  MarketView,
  ResolutionView,
} from './views/market';
export type { OracleAnswerView, OracleCitationView, OracleVoteView } from './views/oracle';
export type { OperatorActView, OperatorLogView } from './views/operator-log';
export type { ActDetails, OperatorAct, OperatorAction } from './domain/operator-acts';
export type { OperatorMarketListView, OperatorMarketView } from './views/operator-market';
export type { PaymentDecisionView, PaymentListView, PaymentView } from './views/payment';
export type { PositionListView, PositionView } from './views/position';
export type { CandleView, PriceHistoryView, PriceView, QuoteView } from './views/price';
export type {
  MarketResolutionView,
  ProposalView,
  PublicVoteView,
  ResolutionEvidenceView,
  ResolutionListView,
  ResolutionSummaryView,
  RoundView,
  VoteView,
} from './views/resolution';
export type { PostingListView, PostingView } from './views/posting';
export type { ResolutionProgressView } from './views/resolution-progress';
export type {
  ExecutedTradeView,
  TradeListView,
  TradeView,
  WalletHistoryView,
  WalletTradeView,
} from './views/trade';
export type { CreditListView, CreditView, OperatorCreditListView, OperatorCreditView } from './views/credit';
export type { EarningsView, MarketEarningsView } from './views/earnings';
export type { TreasuryDepositView, TreasuryView } from './views/treasury';
export type {
  RemovedWebhookView,
  WebhookDeliveryListView,
  WebhookDeliveryView,
  WebhookListView,
  WebhookView,
  WebhookWithSecretView,
} from './views/webhook';
export type {
  OpenWithdrawalListView,
  OpenWithdrawalView,
  OperatorWithdrawalListView,
  OperatorWithdrawalView,
  WithdrawalListView,
  WithdrawalView,
} from './views/withdrawal';

export type { PaymentBacklogView } from './usecases/payments/payment-backlog';
export type { AuditOptions } from './usecases/accounts/audit';
export type { EventListener, EventListeners, ListenedEvent, ListenedName } from './live/emitter';
export type { ConsumerHandle, Consumers } from './jobs/consumers';
export type { ConsumedFact, ConsumerHandler, ConsumerOptions } from './usecases/consumers/options';
export type { Consumer, ParkedFact } from './domain/consumers';
export type { EventIterators, SinceOptions } from './live/events-since';
export {
  EventPositionError,
  isEventPositionError,
  type EventPosition,
  type EventPositionProblem,
  type EventStart,
} from './domain/event-position';
export type {
  AnyPublishedEvent,
  EventMap,
  EventName,
  LocalEvent,
  LocalEventMap,
  LocalEventName,
  MarketEventData,
  NewFact,
  StoredFact,
  OwnCommit,
  PublishedEvent,
} from './domain/events';
export { eventsOfFact } from './events/events-of-fact';
export { isPaymentSetUpError, PaymentSetUpError, type PaymentSetUpProblem } from './domain/payment-set-up';
export { playMoneyIn } from './usecases/payments/check-set-up';
export {
  ERROR_TABLE,
  isPredictionMarketError,
  PredictionMarketError,
  type ErrorCode,
  type ErrorDetails,
  type FieldError,
} from './domain/errors';
export { memoryRateLimit } from './rate-limit/memory';
export { lmsr } from './domain/lmsr';
export { searchTerms } from './domain/search-terms';

export { ALARM_NAMES, type Alarm, type AlarmName } from './domain/alarms';

// --- ports: what adapters implement ---
export type * from './ports/storage';
export type * from './ports/oracle';
export type { Citation, Vote } from './domain/oracle/vote';
export type * from './ports/facilitator';
export type * from './ports/payout';
export type * from './ports/rate-limit';
export type { Clock } from './ports/clock';
export type { Random } from './ports/random';
export type { Logger } from './ports/logger';
export type { CandleInterval } from './domain/candles';
export type { BoundValues } from './domain/order-terms';
export type { PricingRule, MarketMakerState } from './domain/pricing';
export type * from './domain/types';
export type * from './domain/oracle/resolution-state';
export type { Consensus } from './domain/oracle/consensus';
export { DEFAULT_ROUND_RULES } from './domain/oracle/rounds';
export type {
  RoundDecision,
  RoundFinding,
  RoundHistory,
  RoundResult,
  RoundRules,
} from './domain/oracle/rounds';
export type { DecisiveOutcome } from './domain/oracle/vote';
export type { OpenStatus as OpenWithdrawalStatus, Withdrawal, WithdrawalStatus } from './domain/withdrawals';
export type { HouseRisk } from './domain/house';
export type {
  DeliveryOutcome,
  SeqRange,
  Webhook,
  WebhookDelivery,
  WebhookEvent,
  WebhookSecret,
  WebhookStatus,
} from './domain/webhooks';
export type { DepositSource } from './domain/paid-deposits';
export type {
  PaymentDecision,
  PaymentKey,
  PaymentRecord,
  PaymentStatus,
  PaymentVerdict,
  StoredAnswer,
} from './domain/payments';
