/**
 * The logarithmic market scoring rule (Hanson, "Logarithmic market scoring rules for modular combinatorial
 * information aggregation", 2007): C(q) = b ln(exp(qYes/b) + exp(qNo/b)). A trade costs the difference of C.
 *
 * Form. Let d = (shares of the traded side) - (shares of the other side) be the lead. Then C = qOther +
 * max(d, 0) + b L(d/b), where L(x) = ln(1 + exp(-|x|)) and 0 < L <= ln 2. The first two terms are integers
 * and stay exact. Only b (L(after) - L(before)) is a float. This equals the formulas of
 * docs/pricing-and-ledger.md. It never overflows, and its error is small however large the trade is.
 *
 * Error, with u = 2^-53. The quotient x is off by |x| u, which moves L by at most 0.28 u. exp and log1p are
 * each good to 1 ulp, so they add at most 1 u each. Two such terms, their difference and the product with b
 * stay below 6 u b, which is less than the bound E = b 2^-50. The margin is four times E:
 * - The cost is rounded up from float + margin, so it is never below the true cost. Proceeds are rounded down
 *   from float - margin, so they are never above the true proceeds.
 * - The margin is at least 3 E, so a whole trade costs no more than its parts, and splitting a trade gains
 *   nothing.
 * - For the largest b (10^12 micro-USD) the margin is 0.0036 micro-USD, so a trade costs at most one base
 *   unit more than the exact cost rounded up. Within the price bounds one micro-share adds less than 0.995
 *   micro-USD, so it adds 0 or 1 base unit to the cost. Hence every budget can be spent exactly.
 */
import { ceilDivide, floorDivide } from './money';
import type { MarketMakerState, PricingRule } from './pricing';
import type { Side } from './types';

const MARGIN = 2 ** -48;
const SCALE = 10n ** 40n;
/** ln 99 and ln 2 in units of 10^-40. The price is 0.99 when the lead is b ln 99. */
const LN_99 = 45951198501345899268524340518101807091166n;
const LN_2 = 6931471805599453094172321214581765680755n;

/** How far the traded side is ahead of the other side, in micro-shares. */
function leadOf(state: MarketMakerState, side: Side): bigint {
  const yesLead = state.sharesYes - state.sharesNo;
  return side === 'YES' ? yesLead : -yesLead;
}

/** L(lead / b): the header of this file defines L. */
function bend(lead: bigint, b: number): number {
  return Math.log1p(Math.exp(-Math.abs(Number(lead) / b)));
}

function positivePart(value: bigint): bigint {
  return value > 0n ? value : 0n;
}

/**
 * C(after) - C(before) as an exact integer and a float, in micro-USD. `bent` is `bend(before, b)`.
 */
function costDifference(
  before: bigint,
  bent: number,
  after: bigint,
  b: number,
): { whole: bigint; rest: number } {
  return {
    whole: positivePart(after) - positivePart(before),
    rest: b * (bend(after, b) - bent),
  };
}

function buyCost(state: MarketMakerState, side: Side, shares: bigint): bigint {
  if (shares <= 0n) return 0n;
  const b = Number(state.liquidityParameter);
  const lead = leadOf(state, side);
  return costFrom(lead, bend(lead, b), shares, b);
}

function costFrom(lead: bigint, bent: number, shares: bigint, b: number): bigint {
  const { whole, rest } = costDifference(lead, bent, lead + shares, b);
  const cost = whole + BigInt(Math.ceil(rest + b * MARGIN));
  // A share is worth at most 1 USD, so the exact cost is at most `shares`. The margin must not raise the cost
  // above that.
  return cost < shares ? cost : shares;
}

function sellProceeds(state: MarketMakerState, side: Side, shares: bigint): bigint {
  if (shares <= 0n) return 0n;
  const b = Number(state.liquidityParameter);
  const lead = leadOf(state, side);
  const { whole, rest } = costDifference(lead - shares, bend(lead - shares, b), lead, b);
  return positivePart(whole + BigInt(Math.floor(rest - b * MARGIN)));
}

/** The lead after spending `notional`, in floats. This is the inverse of the cost function. */
function leadAfterSpending(lead: bigint, bent: number, notional: bigint, b: number): number {
  const position = Number(lead) / b;
  const softplus = Math.max(position, 0) + bent;
  const target = softplus + Number(notional) / b - MARGIN;
  // This is ln(e^y - 1). The first form is for large y, where e^y overflows. The second form keeps small y
  // exact.
  const end = target > 1 ? target + Math.log1p(-Math.exp(-target)) : Math.log(Math.expm1(target));
  return end * b;
}

function sharesForCost(state: MarketMakerState, side: Side, notional: bigint): bigint {
  if (notional <= 0n) return 0n;
  const lead = leadOf(state, side);
  const b = Number(state.liquidityParameter);
  const bent = bend(lead, b);
  const guess = BigInt(Math.floor(leadAfterSpending(lead, bent, notional, b))) - lead;
  // No share costs more than 1 USD, so at least `notional` micro-shares are affordable.
  let shares = guess > notional ? guess : notional;
  while (costFrom(lead, bent, shares, b) > notional) shares -= 1n;
  while (costFrom(lead, bent, shares + 1n, b) <= notional) shares += 1n;
  return shares;
}

function yesPrice(state: MarketMakerState): number {
  const position = Number(state.sharesYes - state.sharesNo) / Number(state.liquidityParameter);
  const odds = Math.exp(-Math.abs(position));
  return position >= 0 ? 1 / (1 + odds) : odds / (1 + odds);
}

function withinBounds(state: MarketMakerState): boolean {
  const lead = state.sharesYes - state.sharesNo;
  return (lead < 0n ? -lead : lead) <= floorDivide(state.liquidityParameter * LN_99, SCALE);
}

export const lmsr: PricingRule = {
  name: 'LMSR',
  yesPrice,
  buyCost,
  sellProceeds,
  sharesForCost,
  withinBounds,
  worstLoss: (liquidityParameter) => ceilDivide(liquidityParameter * LN_2, SCALE),
};
