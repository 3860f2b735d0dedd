/** What a market maker has to answer. LMSR stands behind it; another rule can be added beside. */
import type { Side } from './types';

/** The part of a market that prices depend on: all micro-units. */
export interface MarketMakerState {
  liquidityParameter: bigint;
  sharesYes: bigint;
  sharesNo: bigint;
}

export interface PricingRule {
  readonly name: string;
  /** Probability of YES, 0..1, unrounded. */
  yesPrice(state: MarketMakerState): number;
  /** Micro-USD for buying micro-shares; rounded up, in the pool's favour. */
  buyCost(state: MarketMakerState, side: Side, shares: bigint): bigint;
  /** Micro-USD for selling micro-shares; rounded down. */
  sellProceeds(state: MarketMakerState, side: Side, shares: bigint): bigint;
  /** The most micro-shares whose `buyCost` is at most `notional`. */
  sharesForCost(state: MarketMakerState, side: Side, notional: bigint): bigint;
  /** Whether the state lies within the price bounds [0.01, 0.99], judged on exact prices. */
  withinBounds(state: MarketMakerState): boolean;
  /** The most that the house can lose on one market, rounded up. */
  worstLoss(liquidityParameter: bigint): bigint;
}
