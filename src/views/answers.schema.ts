/**
 * The named answers of the API, for the OpenAPI document and for tests. The schemas do not run while requests are
 * served.
 */
import { account, balance, deposit } from './account.schema';
import { alarm, alarmList } from './alarm.schema';
import { audit } from './audit.schema';
import { consumer, consumerList, parkedFact, parkedFactList, removedConsumer } from './consumer.schema';
import { creator, creatorList, creatorStatus } from './creator.schema';
import { marketFeed } from './market-feed.schema';
import { health, readiness } from './health.schema';
import { challenge, issuedKey, key, keyList, limits, revokedKey } from './key.schema';
import { market, marketDetail, marketList, resolution } from './market.schema';
import { operatorAct, operatorLog } from './operator-log.schema';
import { operatorMarket, operatorMarketList, resolutionProgress } from './operator-market.schema';
import { oracleAnswer } from './oracle.schema';
import { payment, paymentList } from './payment.schema';
import { position, positionList } from './position.schema';
import { posting, postingList } from './posting.schema';
import { candle, price, priceHistory, quote } from './price.schema';
import { authRefusal, rateLimitRefusal, refusal } from './refusal.schema';
import {
  marketResolution,
  proposal,
  publicVote,
  resolutionEvidence,
  resolutionList,
  resolutionSummary,
  round,
} from './resolution.schema';
import { executedTrade, trade, tradeList, walletHistory, walletTrade } from './trade.schema';
import { credit, creditList, operatorCredit, operatorCreditList } from './credit.schema';
import { earnings, marketEarnings } from './earnings.schema';
import { treasury, treasuryDeposit } from './treasury.schema';
import {
  removedWebhook,
  webhook,
  webhookDelivery,
  webhookDeliveryList,
  webhookList,
  webhookWithSecret,
} from './webhook.schema';
import {
  openWithdrawal,
  openWithdrawalList,
  operatorWithdrawal,
  operatorWithdrawalList,
  withdrawal,
  withdrawalList,
} from './withdrawal.schema';
import { paymentInfo, paymentRequired } from './x402.schema';

export const answers = {
  Market: market,
  MarketDetail: marketDetail,
  Resolution: resolution,
  MarketList: marketList,
  Trade: trade,
  TradeList: tradeList,
  ExecutedTrade: executedTrade,
  Quote: quote,
  Price: price,
  Candle: candle,
  PriceHistory: priceHistory,
  Position: position,
  PositionList: positionList,
  WalletTrade: walletTrade,
  WalletHistory: walletHistory,
  Balance: balance,
  Limits: limits,
  Challenge: challenge,
  IssuedKey: issuedKey,
  Key: key,
  KeyList: keyList,
  RevokedKey: revokedKey,
  CreatorStatus: creatorStatus,
  Creator: creator,
  CreatorList: creatorList,
  Account: account,
  Deposit: deposit,
  Credit: credit,
  CreditList: creditList,
  OperatorCredit: operatorCredit,
  OperatorCreditList: operatorCreditList,
  Posting: posting,
  PostingList: postingList,
  MarketEarnings: marketEarnings,
  CreatorEarnings: earnings,
  Treasury: treasury,
  TreasuryDeposit: treasuryDeposit,
  Withdrawal: withdrawal,
  WithdrawalList: withdrawalList,
  OperatorWithdrawal: operatorWithdrawal,
  OperatorWithdrawalList: operatorWithdrawalList,
  OpenWithdrawal: openWithdrawal,
  OpenWithdrawalList: openWithdrawalList,
  Alarm: alarm,
  AlarmList: alarmList,
  Audit: audit,
  Health: health,
  Readiness: readiness,
  PaymentRequired: paymentRequired,
  PaymentInfo: paymentInfo,
  MarketFeed: marketFeed,
  OracleAnswer: oracleAnswer,
  MarketResolution: marketResolution,
  PublicVote: publicVote,
  Proposal: proposal,
  ResolutionSummary: resolutionSummary,
  ResolutionList: resolutionList,
  ResolutionEvidence: resolutionEvidence,
  Round: round,
  OperatorAct: operatorAct,
  OperatorLog: operatorLog,
  OperatorMarket: operatorMarket,
  OperatorMarketList: operatorMarketList,
  ResolutionProgress: resolutionProgress,
  Payment: payment,
  PaymentList: paymentList,
  Consumer: consumer,
  ConsumerList: consumerList,
  RemovedConsumer: removedConsumer,
  ParkedFact: parkedFact,
  ParkedFactList: parkedFactList,
  Webhook: webhook,
  WebhookWithSecret: webhookWithSecret,
  WebhookList: webhookList,
  RemovedWebhook: removedWebhook,
  WebhookDelivery: webhookDelivery,
  WebhookDeliveryList: webhookDeliveryList,
  Error: refusal,
  AuthError: authRefusal,
  RateLimitError: rateLimitRefusal,
} as const;

export type AnswerName = keyof typeof answers;
