import fc from 'fast-check';
import type { MarketMakerState } from '../../../src/domain/pricing';
import type { Market, Side } from '../../../src/domain/types';
import { openMarket } from '../../../src/domain/market';

/** Numbers of all orders of magnitude. The two ends of the range are frequent. */
export function logUniform(low: bigint, high: bigint): fc.Arbitrary<bigint> {
  const decades = String(high).length - String(low).length;
  const spread = fc
    .tuple(fc.integer({ min: 0, max: decades }), fc.integer({ min: 1_000_000, max: 9_999_999 }))
    .map(([decade, digits]) => (low * 10n ** BigInt(decade) * BigInt(digits)) / 1_000_000n)
    .map((value) => (value > high ? high : value));
  return fc.oneof({ weight: 1, arbitrary: fc.constantFrom(low, high) }, { weight: 9, arbitrary: spread });
}

/** The liquidity parameter b in micro-USD, from 1 to 10^6 USD. */
export const liquidity = logUniform(1_000_000n, 1_000_000_000_000n);
export const side = fc.constantFrom<Side>('YES', 'NO');
/** From one micro-unit to 10^9 whole units. */
export const quantity = logUniform(1n, 1_000_000_000_000_000n);
const outstanding = fc.oneof(fc.constant(0n), quantity);

export const anyState: fc.Arbitrary<MarketMakerState> = fc.record({
  liquidityParameter: liquidity,
  sharesYes: outstanding,
  sharesNo: outstanding,
});

/** One side leads by at most b ln 99, which keeps the price within its bounds. */
export const boundedState: fc.Arbitrary<MarketMakerState> = fc
  .tuple(liquidity, outstanding, fc.integer({ min: -4_595_119, max: 4_595_119 }))
  .map(([b, base, lead]) => {
    const difference = (b * BigInt(lead)) / 1_000_000n;
    return {
      liquidityParameter: b,
      sharesYes: base + (difference > 0n ? difference : 0n),
      sharesNo: base + (difference < 0n ? -difference : 0n),
    };
  });

export const DAY = 86_400_000;
export const T0 = Date.UTC(2030, 0, 1);
export const CREATOR = `0x${'c'.repeat(40)}`;
export const wallet = (index: number): string => `0x${String(index).padStart(40, '0')}`;

export function marketOf(changes: Partial<Market> = {}): Market {
  const fresh = openMarket({
    id: 7,
    slug: 'will-it-rain',
    question: 'Will it rain?',
    description: null,
    resolutionCriteria: 'The gauge on the roof.',
    category: 'science',
    creator: CREATOR,
    createdAt: T0,
    resolveDate: T0 + 30 * DAY,
    liquidityParameter: 100_000_000n,
  });
  return { ...fresh, ...changes };
}
