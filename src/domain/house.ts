/** The house's own money: what it has at stake, and how much more it may put there. Amounts are micro-USD. */
import type { Address, MarketStatus } from './types';

/** What the house has at stake with one creator's markets of one liquidity parameter, and what those that are resolved have cost it. */
export interface HouseRisk {
  creator: Address;
  liquidityParameter: bigint;
  /** Markets that are not resolved. */
  unresolved: number;
  /** Below zero where the house has won. */
  lost: bigint;
}

/** The most that the house may have lost once all of these markets are resolved. */
export function atRisk(
  risks: readonly HouseRisk[],
  worstLoss: (liquidityParameter: bigint) => bigint,
): bigint {
  let sum = 0n;
  for (const { liquidityParameter, unresolved, lost } of risks)
    sum += worstLoss(liquidityParameter) * BigInt(unresolved) + lost;
  return sum;
}

export interface HouseBooks {
  /** The treasury: what operators put in, less what the house has lost, which is below zero where it has won. */
  balance: bigint;
  /** What the house can still lose: the worst losses of all markets that are not resolved. */
  exposure: bigint;
  /** How far the exposure may go beyond the balance. */
  limit: bigint;
}

/** A resolved market is no exposure any more: what it has cost stands in the treasury's balance. */
export function exposureOf(totals: readonly { status: MarketStatus; exposure: bigint }[]): bigint {
  let sum = 0n;
  for (const { status, exposure } of totals) if (status !== 'resolved') sum += exposure;
  return sum;
}

/**
 * Whether exposure + lost <= limit + put in, which is the same as exposure <= limit + balance. No trade, resolution or payout
 * breaks it: a market takes at most its worst loss from the treasury, and then is no exposure any more.
 */
export function isWithinLimit({ balance, exposure, limit }: HouseBooks): boolean {
  return exposure <= limit + balance;
}

/**
 * Whether what people own is there, and the rest of what they may win is covered. Below zero the treasury has paid winners
 * with the money of others; beyond the limit no operator has promised to pay.
 */
export function isSolvent(books: HouseBooks): boolean {
  return books.balance >= 0n && isWithinLimit(books);
}
