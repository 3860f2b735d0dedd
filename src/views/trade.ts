import type { Position, Side, Trade, TradeAction, TradeType } from '../domain/types';
import {
  abbreviateAddress,
  checksumAddress,
  isoTime,
  oppositePrice,
  price,
  usd,
  usdPerShare,
} from './format';

export interface TradeView {
  id: number;
  marketId: number;
  side: Side;
  action: TradeAction;
  shares: number;
  pricePerShare: number;
  totalCost: number;
  fee: number;
  traderAddress: string;
  createdAt: string;
}

export interface TradeListView {
  trades: TradeView[];
  total: number;
  limit: number;
  offset: number;
}

export interface ExecutedTradeView extends TradeView {
  yesPrice: number;
  noPrice: number;
  balance: number;
  position: { side: Side; shares: number; avgPrice: number; costBasis: number };
}

export interface WalletTradeView extends TradeView {
  type: TradeType;
  realizedPnl: number;
}

export interface WalletHistoryView {
  trades: WalletTradeView[];
  total: number;
  limit: number;
  offset: number;
}

export function publicTradeView(trade: Trade): TradeView {
  return tradeView(trade, abbreviateAddress(trade.wallet));
}

/** A row of the wallet's own history: a trade or a position payout, with the whole address. */
export function walletTradeView(trade: Trade): WalletTradeView {
  return Object.assign(tradeView(trade, checksumAddress(trade.wallet)), {
    type: trade.type,
    realizedPnl: usd(trade.realizedPnl),
  });
}

export function executedTradeView(trade: Trade, position: Position, balance: bigint): ExecutedTradeView {
  // This does not call `tradeView`, because joining objects is slow and this function runs for every order.
  return {
    id: trade.id,
    marketId: trade.marketId,
    side: trade.side,
    action: trade.action,
    shares: usd(trade.shares),
    pricePerShare: usdPerShare(trade.notional, trade.shares),
    totalCost: usd(trade.totalCost),
    fee: usd(trade.fee),
    traderAddress: checksumAddress(trade.wallet),
    createdAt: isoTime(trade.createdAt),
    yesPrice: price(trade.yesPriceAfter),
    noPrice: oppositePrice(trade.yesPriceAfter),
    balance: usd(balance),
    position: {
      side: position.side,
      shares: usd(position.shares),
      avgPrice: usdPerShare(position.costBasis, position.shares),
      costBasis: usd(position.costBasis),
    },
  };
}

function tradeView(trade: Trade, traderAddress: string): TradeView {
  return {
    id: trade.id,
    marketId: trade.marketId,
    side: trade.side,
    action: trade.action,
    shares: usd(trade.shares),
    pricePerShare: usdPerShare(trade.notional, trade.shares),
    totalCost: usd(trade.totalCost),
    fee: usd(trade.fee),
    traderAddress,
    createdAt: isoTime(trade.createdAt),
  };
}
