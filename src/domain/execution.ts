import { feeOn, MICROS_PER_USD, notionalWithinBudget } from './money';
import type { MarketMakerState, PricingRule } from './pricing';
import type { TradeSize } from './order-terms';
import type { Market, Side, TradeAction } from './types';

export interface TradeRules {
  pricing: PricingRule;
  feeBasisPoints: bigint;
}

/**
 * The figures of a trade in micro-units. `totalCost` is notional + fee for a buy and notional - fee for a sale.
 */
export interface Execution {
  side: Side;
  action: TradeAction;
  shares: bigint;
  notional: bigint;
  fee: bigint;
  totalCost: bigint;
}

export interface SizedOrder {
  side: Side;
  action: TradeAction;
  size: TradeSize;
}

/**
 * The figures of an order if it is executed in the present state of the market. `held` is the number of
 * shares that the size "all" stands for. Throws when the pricing rule asks for less than 0 or more than 1 USD
 * a share, which is a fault of the rule.
 */
export function executionOf(
  market: Market,
  command: SizedOrder,
  { pricing, feeBasisPoints }: TradeRules,
  held: bigint,
): Execution {
  const { side, action, size } = command;
  const shares =
    size === 'all'
      ? held
      : 'shares' in size
        ? size.shares
        : pricing.sharesForCost(market, side, notionalWithinBudget(size.amount, feeBasisPoints));
  const notional =
    action === 'buy' ? pricing.buyCost(market, side, shares) : pricing.sellProceeds(market, side, shares);
  if (notional < 0n || notional > shares) {
    throw new Error(`Pricing rule ${pricing.name} left 0..1 USD a share: ${notional} for ${shares}`);
  }
  const fee = feeOn(notional, feeBasisPoints);
  const totalCost = action === 'buy' ? notional + fee : notional - fee;
  return { side, action, shares, notional, fee, totalCost };
}

export function marketMakerStateAfter(
  { liquidityParameter, sharesYes, sharesNo }: MarketMakerState,
  { side, action, shares }: Pick<Execution, 'side' | 'action' | 'shares'>,
): MarketMakerState {
  const change = action === 'buy' ? shares : -shares;
  return side === 'YES'
    ? { liquidityParameter, sharesYes: sharesYes + change, sharesNo }
    : { liquidityParameter, sharesYes, sharesNo: sharesNo + change };
}

/** The effective price of a share in millionths, rounded to the nearest, from 0 to 1,000,000. */
export function pricePerShare(execution: Pick<Execution, 'notional' | 'shares'>): number {
  if (execution.shares === 0n) return 0;
  return Number((2n * execution.notional * MICROS_PER_USD + execution.shares) / (2n * execution.shares));
}
