/** What the house risks of its own money. Amounts are in micro-USD. */
import type { Address, MarketStatus } from './types';

/**
 * All markets of one creator with one liquidity parameter: how many can still cost the house money, and what
 * the resolved ones have cost it.
 */
export interface HouseRisk {
  creator: Address;
  liquidityParameter: bigint;
  unresolved: number;
  /** What the house has lost in the resolved markets; negative when the house has won. */
  lost: bigint;
}

/** The most that the house can have lost when all of these markets are resolved. */
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
  /**
   * The balance of the treasury: what operators have put in, less what the house has lost. A gain of the
   * house counts as a negative loss.
   */
  balance: bigint;
  /** What the house can still lose: the worst losses of all markets that are not resolved. */
  exposure: bigint;
  /** How far the exposure may go beyond the balance. */
  limit: bigint;
}

/**
 * The sum of the worst losses. A resolved market adds nothing, because its cost is in the treasury's balance
 * already.
 */
export function exposureOf(totals: readonly { status: MarketStatus; exposure: bigint }[]): bigint {
  let sum = 0n;
  for (const { status, exposure } of totals) if (status !== 'resolved') sum += exposure;
  return sum;
}

/**
 * Whether balance and limit cover the exposure. No trade, resolution or payout can make this false: a
 * resolution takes at most the market's worst loss from the treasury, and removes that worst loss from the
 * exposure.
 */
export function isWithinLimit({ balance, exposure, limit }: HouseBooks): boolean {
  return exposure <= limit + balance;
}

/**
 * Whether the house has all the money that belongs to wallets and pools, and whether what traders may still win
 * is covered. A negative balance means that the treasury has paid winners with the money of other wallets.
 */
export function isSolvent(books: HouseBooks): boolean {
  return books.balance >= 0n && isWithinLimit(books);
}
