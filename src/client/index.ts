/**
 * `express-prediction-market/client`: the typed client of the HTTP API, for Node and browsers. It needs `fetch` and
 * web crypto. The live feed also uses `WebSocket` where there is one.
 */
export { createClient, type PredictionMarketClient } from './create-client';
export type {
  AttemptReport,
  CallOptions,
  ClientOptions,
  ClientTimers,
  Fetch,
  PaidFetch,
  PayWith,
  RetryOptions,
} from './options';
export type { Bought, FeedQuery, Paid, PaidMarket, PaidOptions, PaidQuestion } from './paid';
export { NATIVE_USDC, type PaymentToken } from './payment-terms';
export type { Receipt } from './receipt';
export { LiveInboxFullError } from './live/errors';
export type {
  BalanceFigures,
  LiveChannel,
  LiveEvent,
  LiveEventOf,
  LiveMessage,
  LiveResync,
  LiveSnapshot,
  LiveState,
  MarketSnapshot,
} from './live/live-messages';
export type { EventPosition, ResyncReason } from './live/server-messages';
export type { LiveOptions, LiveSubscription } from './live/open-live';
export type { Socket, SocketClass } from './live/socket';
export {
  isPredictionMarketApiError,
  PredictionMarketApiError,
  type ApiErrorCode,
  type ApiErrorFields,
  type CallOutcome,
  type ClientErrorCode,
  type FieldError,
  type SentPayment,
} from './errors';
export { roundDown } from './amounts';
export { newIdempotencyKey } from './idempotency';
export { fromEip1193, fromEthers, fromViem } from './signers';
export type {
  Eip1193Provider,
  EthersSigner,
  PaymentSigner,
  TypedData,
  ViemAccount,
  ViemWalletClient,
  WalletSigner,
} from './signers';
export type {
  Account,
  DepositQuery,
  EarningsQuery,
  HistoryQuery,
  PositionQuery,
  WithdrawalQuery,
  Withdrawals,
} from './account';
export type { Admin, DepositBody } from './admin';
export type { CandleInterval, CandleQuery } from './candles';
export type { ConnectOptions, Creators, IssueOptions, Keys, Scope, SignOptions } from './keys';
export type {
  KeyedOptions,
  MarketQuery,
  MarketReference,
  Markets,
  NewMarket,
  BuyForAmount,
  CommonBuyFields,
  BuyOfShares,
  BuyOrder,
  Order,
  OrderBody,
  OrderSize,
  SellOrder,
  PriceQuery,
  TradeQuery,
  Trades,
} from './markets';
export type {
  Balance,
  Candle,
  Challenge,
  CreatorEarnings,
  CreatorStatus,
  Credit,
  CreditList,
  Deposit,
  ErrorCode,
  ExecutedTrade,
  Health,
  IssuedKey,
  Key,
  Limits,
  Market,
  MarketDetail,
  MarketEarnings,
  MarketFeed,
  MarketList,
  MarketResolution,
  OracleAnswer,
  PaymentInfo,
  PaymentRequired,
  Position,
  PositionList,
  Price,
  PriceHistory,
  Quote,
  Readiness,
  RevokedKey,
  Trade,
  TradeList,
  WalletHistory,
  WalletTrade,
  Withdrawal,
  WithdrawalList,
  paths,
} from './api.generated';
