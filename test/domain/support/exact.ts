/**
 * The cost function of LMSR in fixed point with 256 binary digits after the point, as a reference for the code under
 * test.
 */
import type { MarketMakerState } from '../../../src/domain/pricing';
import type { Side } from '../../../src/domain/types';

const BITS = 256n;
export const ONE = 1n << BITS;

export const fixed = (integer: bigint): bigint => integer << BITS;
export const toNumber = (value: bigint): number => Number(value >> (BITS - 64n)) / 2 ** 64;
export const floorOf = (value: bigint): bigint => value >> BITS;
export const ceilOf = (value: bigint): bigint => -(-value >> BITS);

/** exp(-x) for x >= 0. Halves x until x is small, adds up the Taylor series, and squares back. */
export function expOfMinus(x: bigint): bigint {
  if (x > fixed(200n)) return 0n;
  const halvings = 16n;
  const small = x >> halvings;
  let term = ONE;
  let sum = ONE;
  for (let n = 1n; term !== 0n; n += 1n) {
    term = -((term * small) >> BITS) / n;
    sum += term;
  }
  for (let i = 0n; i < halvings; i += 1n) sum = (sum * sum) >> BITS;
  return sum;
}

/** ln(1 + y) for y from 0 to 1, as 2 artanh(y / (2 + y)). */
export function logOfOnePlus(y: bigint): bigint {
  const z = fixed(y) / (2n * ONE + y);
  const square = (z * z) >> BITS;
  let power = z;
  let sum = 0n;
  for (let n = 1n; power !== 0n; n += 2n) {
    sum += power / n;
    power = (power * square) >> BITS;
  }
  return 2n * sum;
}

/** b ln(exp(x/b) + exp(y/b)), in fixed-point micro-USD. */
export function cost(b: bigint, x: bigint, y: bigint): bigint {
  const [high, low] = x > y ? [x, y] : [y, x];
  return fixed(high) + b * logOfOnePlus(expOfMinus(fixed(high - low) / b));
}

/** C(q) - C(0), in fixed-point micro-USD: the money that the pool must have. */
export function poolCost(state: MarketMakerState): bigint {
  const b = state.liquidityParameter;
  return cost(b, state.sharesYes, state.sharesNo) - cost(b, 0n, 0n);
}

/** C(q + shares of the side) - C(q), in fixed-point micro-USD. `shares` may be negative. */
export function costOfChange(state: MarketMakerState, side: Side, shares: bigint): bigint {
  return poolCost(withShares(state, side, shares)) - poolCost(state);
}

export function withShares(state: MarketMakerState, side: Side, shares: bigint): MarketMakerState {
  return {
    liquidityParameter: state.liquidityParameter,
    sharesYes: state.sharesYes + (side === 'YES' ? shares : 0n),
    sharesNo: state.sharesNo + (side === 'NO' ? shares : 0n),
  };
}
