/**
 * The data of a fact as events and channel messages show them, with EIP-55 addresses. Public events shorten the
 * address of the trader.
 */
import type { EventMap } from '../domain/events';
import { abbreviateAddress, checksumAddress } from '../views/format';
import type { BalanceFacts, SettlementFacts, TradeFacts } from './facts';

export interface BalanceFigures {
  balance: number;
  reserved: number;
  available: number;
}

// `publicTrade` and `ownTrade` run for every trade. They list the fields one by one to avoid the cost of a spread.

export function publicTrade({ trade, price, wallet }: TradeFacts, createdAt: string): EventMap['trade'] {
  return {
    id: trade.id,
    marketId: trade.marketId,
    side: trade.side,
    action: trade.action,
    shares: trade.shares,
    pricePerShare: trade.pricePerShare,
    totalCost: trade.totalCost,
    fee: trade.fee,
    traderAddress: abbreviateAddress(wallet),
    yesPrice: price.yesPrice,
    noPrice: price.noPrice,
    volume: price.volume,
    liquidity: price.liquidity,
    createdAt,
  };
}

export function ownTrade(
  { trade, wallet, realizedPnl }: TradeFacts,
  createdAt: string,
): EventMap['account.trade'] {
  return {
    address: checksumAddress(wallet),
    id: trade.id,
    marketId: trade.marketId,
    side: trade.side,
    action: trade.action,
    shares: trade.shares,
    pricePerShare: trade.pricePerShare,
    totalCost: trade.totalCost,
    fee: trade.fee,
    realizedPnl,
    createdAt,
  };
}

export function ownSettlement({ settlement, wallet }: SettlementFacts): EventMap['account.settlement'] {
  return { address: checksumAddress(wallet), ...settlement };
}

export function creatorUpdate({
  address,
  ...rest
}: EventMap['creator.updated']): EventMap['creator.updated'] {
  return { address: checksumAddress(address), ...rest };
}

/** Removes the reason of a suspension, which readers outside the host do not get. */
export function publicCreatorUpdate(update: EventMap['creator.updated']): EventMap['creator.updated'] {
  return { ...update, reason: update.status === 'rejected' ? update.reason : null };
}

export function figuresOf({ balance, reserved, available }: BalanceFacts): BalanceFigures {
  return { balance, reserved, available };
}
