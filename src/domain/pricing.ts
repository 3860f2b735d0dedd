import type { Side } from './types';

/** What prices depend on. All fields are in micro-units. */
export interface MarketMakerState {
  /** b of the cost function, in micro-USD. */
  liquidityParameter: bigint;
  /** The micro-shares of YES that wallets hold. */
  sharesYes: bigint;
  /** The micro-shares of NO that wallets hold. */
  sharesNo: bigint;
}

export interface PricingRule {
  /** The name of the rule, such as `LMSR`. */
  readonly name: string;
  /** The probability of YES from 0 to 1, not rounded. */
  yesPrice(state: MarketMakerState): number;
  /** The cost of buying micro-shares, in micro-USD, rounded up in favour of the pool. */
  buyCost(state: MarketMakerState, side: Side, shares: bigint): bigint;
  /** The proceeds of selling micro-shares, in micro-USD, rounded down in favour of the pool. */
  sellProceeds(state: MarketMakerState, side: Side, shares: bigint): bigint;
  /** The most micro-shares whose `buyCost` is at most `notional`. */
  sharesForCost(state: MarketMakerState, side: Side, notional: bigint): bigint;
  /** Whether the exact price of the state is within [0.01, 0.99]. */
  withinBounds(state: MarketMakerState): boolean;
  /** The most that the house can lose on one market, rounded up. */
  worstLoss(liquidityParameter: bigint): bigint;
}
