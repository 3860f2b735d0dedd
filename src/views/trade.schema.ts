import Joi from 'joi';
import { TRADE_TYPES } from '../domain/types';
import {
  action,
  amount,
  id,
  instant,
  marketId,
  oneOf,
  page,
  probability,
  shares,
  side,
  text,
  usd,
} from './fields.schema';
import type {
  ExecutedTradeView,
  TradeListView,
  TradeView,
  WalletHistoryView,
  WalletTradeView,
} from './trade';

/** The fields of a trade that messages of the live feed contain too. */
export const tradeCore = {
  id: id('The number of the trade, over all markets'),
  marketId: marketId(),
  side: side(),
  action: action(),
  shares: shares('How many shares were traded'),
  pricePerShare: probability('Effective price per share, before the fee'),
  totalCost: amount('What the buyer paid, with the fee, or what the seller received, after the fee'),
  fee: amount("The creator's fee"),
  createdAt: instant('When the trade was executed'),
};

const { createdAt, ...figures } = tradeCore;
const tradeFields = {
  ...figures,
  traderAddress: text().description('Shortened in public lists, whole in your own lists'),
  createdAt,
};

export const trade = Joi.object<TradeView, true>(tradeFields);

export const tradeList = Joi.object<TradeListView, true>({
  trades: Joi.array().items(trade).required(),
  ...page,
});

export const executedTrade = Joi.object<ExecutedTradeView, true>({
  ...tradeFields,
  yesPrice: probability('Price of YES after the trade'),
  noPrice: probability('Price of NO after the trade'),
  balance: amount("The wallet's balance after the trade"),
  position: Joi.object<ExecutedTradeView['position'], true>({
    side: side(),
    shares: shares('How many shares of the side the wallet has after the trade'),
    avgPrice: Joi.number().min(0).required().description('costBasis / shares, USD'),
    costBasis: amount('Paid for the shares still held, fees included'),
  }).required(),
});

export const walletTrade = Joi.object<WalletTradeView, true>({
  ...tradeFields,
  type: oneOf(TRADE_TYPES).description(
    'trade: an order; settlement: the payout of a position at the resolution',
  ),
  realizedPnl: usd('Profit or loss that this row realized'),
});

export const walletHistory = Joi.object<WalletHistoryView, true>({
  trades: Joi.array().items(walletTrade).required(),
  ...page,
});
