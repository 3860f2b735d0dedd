/**
 * The data of a fact as events and channel messages show them: with EIP-55 addresses. Public events show only
 * a shortened address of the trader.
 */
import type { EventMap } from '../domain/events';
import { abbreviateAddress, checksumAddress } from '../views/format';
import type { BalanceFacts, SettlementFacts, TradeFacts } from './facts';

/** The three figures of a balance. */
export interface BalanceFigures {
  balance: number;
  reserved: number;
  available: number;
}

export function publicTrade({ trade, price, wallet }: TradeFacts, createdAt: string): EventMap['trade'] {
  const { yesPrice, noPrice, volume, liquidity } = price;
  return {
    ...trade,
    traderAddress: abbreviateAddress(wallet),
    yesPrice,
    noPrice,
    volume,
    liquidity,
    createdAt,
  };
}

export function ownTrade(
  { trade, wallet, realizedPnl }: TradeFacts,
  createdAt: string,
): EventMap['account.trade'] {
  return { address: checksumAddress(wallet), ...trade, realizedPnl, createdAt };
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

export function figuresOf({ balance, reserved, available }: BalanceFacts): BalanceFigures {
  return { balance, reserved, available };
}
