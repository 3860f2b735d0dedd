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
  /** The number of the trade, over all markets. */
  id: number;
  /** The number of the market. */
  marketId: number;
  /** The side of the shares; a share pays 1 USD if its side wins. */
  side: Side;
  /** Whether the shares are bought or sold. */
  action: TradeAction;
  /** How many shares were traded, with at most 6 decimals. */
  shares: number;
  /** Effective price per share, before the fee. */
  pricePerShare: number;
  /** What the buyer paid, with the fee, or what the seller received, after the fee, USD. */
  totalCost: number;
  /** The creator's fee, USD. */
  fee: number;
  /** Shortened in public lists, whole in your own lists. */
  traderAddress: string;
  /** When the trade was executed, ISO 8601. */
  createdAt: string;
}

export interface TradeListView {
  trades: TradeView[];
  /** How many rows there are on all pages together. */
  total: number;
  /** How many rows a page has at most. */
  limit: number;
  /** How many rows before this page were skipped. */
  offset: number;
}

export interface ExecutedTradeView extends TradeView {
  /** Price of YES after the trade. */
  yesPrice: number;
  /** Price of NO after the trade. */
  noPrice: number;
  /** The wallet's balance after the trade, USD. */
  balance: number;
  position: {
    /** The side of the shares; a share pays 1 USD if its side wins. */
    side: Side;
    /** How many shares of the side the wallet has after the trade, with at most 6 decimals. */
    shares: number;
    /** costBasis / shares, USD. */
    avgPrice: number;
    /** Paid for the shares still held, fees included, USD. */
    costBasis: number;
  };
}

export interface WalletTradeView extends TradeView {
  /** trade: an order; settlement: the payout of a position at the resolution. */
  type: TradeType;
  /** Profit or loss that this row realized, USD. */
  realizedPnl: number;
}

export interface WalletHistoryView {
  trades: WalletTradeView[];
  /** How many rows there are on all pages together. */
  total: number;
  /** How many rows a page has at most. */
  limit: number;
  /** How many rows before this page were skipped. */
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
  // The fields are written out, because this function runs for every order and has to be fast.
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
