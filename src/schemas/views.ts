/**
 * What the API answers, as Joi schemas: for the OpenAPI document and for the tests, which hold every
 * answer against them. Not run at request time. The types keep them complete: a field that is added to a
 * view and not here does not compile.
 */
import Joi from 'joi';
import { CATEGORIES, MARKET_STATUSES } from '../domain/types';
import { WITHDRAWAL_STATUSES } from '../domain/withdrawals';
import type * as View from '../views/types';
import { errorBodies } from './error-bodies';
import { paidViews } from './x402-views';
import {
  id,
  count,
  text,
  nullableText,
  page,
  usd,
  amount,
  probability,
  instant,
  nullableInstant,
  address,
  side,
  action,
  scopes,
  creatorStatus,
} from './view-fields';

const marketFields = {
  id: id(),
  tickerId: text().example('PM-0001'),
  slug: text().example('will-it-rain-tomorrow'),
  question: text(),
  category: text().description(`One of ${CATEGORIES.join(', ')}`),
  status: Joi.string()
    .valid(...MARKET_STATUSES)
    .required(),
  yesPrice: probability('Price of YES as a probability'),
  noPrice: probability('Price of NO as a probability'),
  volume: amount('Total trade volume before fees'),
  liquidity: amount('What the pool would pay if every holder sold now'),
  resolveDate: instant('When trading ends'),
  createdAt: instant('When the market was created'),
};

const market = Joi.object<View.MarketView, true>(marketFields);

const resolution = Joi.object<View.ResolutionView, true>({
  outcome: Joi.string().valid('YES', 'NO', 'VOID').required(),
  resolvedAt: instant('When the outcome was decided'),
  oracleConsensus: probability('Confidence of the oracle; 1 when an operator decided'),
});

const marketDetail = Joi.object<View.MarketDetailView, true>({
  ...marketFields,
  description: nullableText(),
  resolutionCriteria: text(),
  creator: Joi.object<View.MarketDetailView['creator'], true>({
    address: address(),
    displayName: nullableText(),
  }).required(),
  resolution: resolution.allow(null).required(),
});

const tradeFields = {
  id: id(),
  marketId: id(),
  side: side(),
  action: action(),
  shares: Joi.number().min(0).required(),
  pricePerShare: probability('Effective price per share, before the fee'),
  totalCost: amount('Paid by a buyer, or received by a seller, fee included'),
  fee: amount("The creator's fee"),
  traderAddress: text().description('Abbreviated in public listings, whole among your own'),
  createdAt: instant('When the trade was executed'),
};

const executedTrade = Joi.object<View.ExecutedTradeView, true>({
  ...tradeFields,
  yesPrice: probability('Price of YES after the trade'),
  noPrice: probability('Price of NO after the trade'),
  balance: amount("The wallet's balance after the trade"),
  position: Joi.object<View.ExecutedTradeView['position'], true>({
    side: side(),
    shares: Joi.number().min(0).required(),
    avgPrice: Joi.number().min(0).required().description('costBasis / shares, USD'),
    costBasis: amount('Paid for the shares still held, fees included'),
  }).required(),
});

const quote = Joi.object<View.QuoteView, true>({
  side: side(),
  action: action(),
  shares: Joi.number().min(0).required(),
  pricePerShare: probability('Effective price per share, before the fee'),
  totalCost: amount('What a buyer would pay, or a seller receive, fee included'),
  fee: amount("The creator's fee"),
  yesPriceAfter: probability('Price of YES after such a trade'),
  noPriceAfter: probability('Price of NO after such a trade'),
  priceImpact: Joi.number().min(-1).max(1).required().description('Price of the side, after less before'),
});

const price = Joi.object<View.PriceView, true>({
  marketId: id(),
  yesPrice: probability('Price of YES'),
  noPrice: probability('Price of NO'),
  liquidity: amount('What the pool would pay if every holder sold now'),
  asOf: instant('The moment of these prices'),
  quote: quote.allow(null).required(),
});

const withdrawal = Joi.object<View.WithdrawalView, true>({
  id: id(),
  amount: amount('What was asked for'),
  status: Joi.string()
    .valid(...WITHDRAWAL_STATUSES)
    .required()
    .description('Reserved, sent, paid, or failed and given back'),
  transaction: nullableText().description('Hash of the transaction that pays, once there is one'),
  createdAt: instant('When it was asked for'),
  updatedAt: instant('When its status last changed'),
});

const candle = Joi.object<View.CandleView, true>({
  time: instant('Start of the bucket'),
  open: probability('Price of YES'),
  high: probability('Price of YES'),
  low: probability('Price of YES'),
  close: probability('Price of YES'),
  volume: amount('Trade volume before fees'),
  trades: count(),
});

const position = Joi.object<View.PositionView, true>({
  marketId: id(),
  tickerId: text(),
  slug: text(),
  question: text(),
  status: Joi.string().valid('open', 'closed').required(),
  side: side(),
  shares: Joi.number().min(0).required(),
  avgPrice: Joi.number().min(0).required().description('costBasis / shares, USD'),
  costBasis: amount('Paid for the shares still held, fees included'),
  currentPrice: probability('Price of the side'),
  currentValue: amount('Net proceeds of selling all of it now'),
  unrealizedPnl: usd('currentValue - costBasis'),
  realizedPnl: usd('Net proceeds and payouts, less the cost of what went'),
  feesPaid: amount('Fees so far'),
  maxPayout: amount('Payout if the side wins'),
});

const walletTrade = Joi.object<View.WalletTradeView, true>({
  ...tradeFields,
  type: Joi.string().valid('trade', 'settlement').required(),
  realizedPnl: usd('Profit or loss that this row realized'),
});

const keyFields = {
  id: id(),
  prefix: text().example('pmk_AbCd…'),
  label: nullableText(),
  rateLimit: count().description('Requests per rolling minute'),
  scopes: scopes(),
  createdAt: instant('When the key was issued'),
};

const key = Joi.object<View.KeyView, true>({
  ...keyFields,
  lastUsedAt: nullableInstant('When it was last used'),
});

const creatorStatusFields = {
  address: address(),
  status: creatorStatus(),
  appliedAt: nullableInstant('When the wallet applied'),
  approvedAt: nullableInstant('When it was approved'),
  rejectedReason: nullableText(),
};

const creator = Joi.object<View.CreatorView, true>({
  ...creatorStatusFields,
  displayName: nullableText(),
  statement: nullableText(),
});

const accountFields = {
  address: address(),
  balance: amount('Money of the wallet'),
  reserved: amount('The part held back for withdrawals'),
  available: amount('balance - reserved'),
};

/** The named answers; each name is a component of the OpenAPI document. */
export const views = {
  Market: market,
  MarketDetail: marketDetail,
  Resolution: resolution,
  MarketList: Joi.object<View.MarketListView, true>({
    markets: Joi.array().items(market).required(),
    ...page,
  }),
  Trade: Joi.object<View.TradeView, true>(tradeFields),
  TradeList: Joi.object<View.TradeListView, true>({
    trades: Joi.array().items(Joi.object(tradeFields)).required(),
    ...page,
  }),
  ExecutedTrade: executedTrade,
  Quote: quote,
  Price: price,
  Candle: candle,
  PriceHistory: Joi.object<View.PriceHistoryView, true>({
    marketId: id(),
    interval: Joi.string().valid('1m', '5m', '15m', '1h', '6h', '1d').required(),
    candles: Joi.array().items(candle).required(),
  }),
  Position: position,
  PositionList: Joi.object<View.PositionListView, true>({
    positions: Joi.array().items(position).required(),
    ...page,
  }),
  WalletTrade: walletTrade,
  WalletHistory: Joi.object<View.WalletHistoryView, true>({
    trades: Joi.array().items(walletTrade).required(),
    ...page,
  }),
  Balance: Joi.object<View.BalanceView, true>({
    ...accountFields,
    currency: Joi.string().valid('USDC').required(),
    positionsValue: amount('Net proceeds of selling every open position now'),
    updatedAt: instant('When the balance last changed'),
  }),
  Limits: Joi.object<View.LimitsView, true>({
    limit: count().description('Requests per rolling minute'),
    remaining: count(),
    resetAt: instant('When the oldest counted request leaves the window'),
    scopes: scopes(),
  }),
  Challenge: Joi.object<View.ChallengeView, true>({
    nonce: Joi.string()
      .pattern(/^[0-9a-f]{48}$/)
      .required(),
    message: text().description('To be signed as it stands with personal_sign (EIP-191)'),
    expiresAt: instant('When the nonce expires'),
  }),
  IssuedKey: Joi.object<View.IssuedKeyView, true>({
    ...keyFields,
    apiKey: Joi.string()
      .pattern(/^pmk_[0-9A-Za-z]{36}$/)
      .required()
      .description('The raw key. Shown this once.'),
    note: text(),
  }),
  Key: key,
  KeyList: Joi.object<{ keys: View.KeyView[] }, true>({ keys: Joi.array().items(key).required() }),
  RevokedKey: Joi.object<View.RevokedKeyView, true>({
    id: id(),
    prefix: text(),
    revokedAt: instant('When the key was revoked'),
  }),
  CreatorStatus: Joi.object<View.CreatorStatusView, true>(creatorStatusFields),
  Creator: creator,
  CreatorList: Joi.object<View.CreatorListView, true>({
    creators: Joi.array().items(creator).required(),
    ...page,
  }),
  Account: Joi.object<View.AccountView, true>(accountFields),
  Deposit: Joi.object<View.DepositView, true>({
    ...accountFields,
    amount: amount('What was credited'),
    reference: text(),
  }),
  Treasury: Joi.object<View.TreasuryView, true>({
    balance: usd('What operators put in and the house has won, less what it has lost'),
    exposure: amount('What the house can still lose: the worst losses of all markets that are not resolved'),
    limit: amount('How far the exposure may go beyond the balance'),
    solvent: Joi.boolean()
      .required()
      .description('Whether balance is not below zero and exposure within limit; withdrawals wait where not'),
  }),
  TreasuryDeposit: Joi.object<View.TreasuryDepositView, true>({
    balance: usd('Of the treasury, right after the credit'),
    amount: amount('What was credited'),
    reference: text(),
  }),
  Withdrawal: withdrawal,
  WithdrawalList: Joi.object<View.WithdrawalListView, true>({
    withdrawals: Joi.array().items(withdrawal).required(),
    ...page,
  }),
  Audit: Joi.object<View.AuditView, true>({
    ok: Joi.boolean().required(),
    checked: Joi.object({
      wallets: count(),
      markets: count(),
      positions: count(),
      entries: count(),
    }).required(),
    treasury: usd('What operators put in, and what the house has won or lost so far'),
    external: usd('What came from outside, negated'),
    solvency: Joi.object<View.AuditView['solvency'], true>({
      solvent: Joi.boolean().required().description('As of GET /treasury; withdrawals wait where not'),
      wallets: amount('Balances of all wallets'),
      reserved: amount('The part of them that is held back for withdrawals'),
      pools: usd('What the pools of all markets hold'),
      worstLosses: amount('What the house can still lose on markets that are not resolved'),
      surplus: usd('What came from outside, less wallets and pools: what the house owns'),
      worstCase: usd('surplus - worstLosses'),
    }).required(),
    differences: Joi.array()
      .items(Joi.object({ kind: text(), subject: text(), stored: text(), computed: text() }))
      .required(),
  }),
  Health: Joi.object({ status: Joi.string().valid('ok').required() }),
  Readiness: Joi.object({
    status: Joi.string().valid('ready', 'unavailable').required(),
    checks: Joi.object({
      started: Joi.boolean().required(),
      storage: Joi.boolean().required(),
      jobs: Joi.boolean().required(),
    }).required(),
  }),
  ...paidViews(marketFields),
  ...errorBodies,
} as const;

export type ViewName = keyof typeof views;
