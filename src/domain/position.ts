/**
 * The cost and the profit of positions, by the average-cost method. The cost basis is what the wallet paid for the
 * shares that it still holds, fees included.
 */
import type { Address, Position, Side } from './types';

export function emptyPosition(marketId: number, wallet: Address, side: Side, now: number): Position {
  return {
    marketId,
    wallet,
    side,
    shares: 0n,
    costBasis: 0n,
    realizedPnl: 0n,
    feesPaid: 0n,
    paidOut: false,
    updatedAt: now,
  };
}

/** `totalCost` includes the fee. */
export function afterPurchase(
  position: Position,
  { shares, totalCost, fee }: { shares: bigint; totalCost: bigint; fee: bigint },
  now: number,
): Position {
  const after = { ...position };
  after.shares += shares;
  after.costBasis += totalCost;
  after.feesPaid += fee;
  after.updatedAt = now;
  return after;
}

/**
 * The cost of the shares that leave a position: their proportion of the cost basis, rounded down. If all shares
 * leave, the whole cost basis leaves.
 */
export function costOfShares(position: Position, shares: bigint): bigint {
  return shares === position.shares ? position.costBasis : (position.costBasis * shares) / position.shares;
}

/**
 * The position after shares have left. `net` is what the wallet got in micro-USD: proceeds less fee, or a
 * payout.
 */
export function afterDisposal(
  position: Position,
  { shares, net, fee }: { shares: bigint; net: bigint; fee: bigint },
  now: number,
): { position: Position; realizedPnl: bigint } {
  const cost = costOfShares(position, shares);
  const realizedPnl = net - cost;
  return {
    realizedPnl,
    position: {
      ...position,
      shares: position.shares - shares,
      costBasis: position.costBasis - cost,
      realizedPnl: position.realizedPnl + realizedPnl,
      feesPaid: position.feesPaid + fee,
      updatedAt: now,
    },
  };
}
