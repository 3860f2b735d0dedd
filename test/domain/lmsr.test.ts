import fc from 'fast-check';
import { lmsr } from '../../src/domain/lmsr';
import type { MarketMakerState } from '../../src/domain/pricing';
import type { Side } from '../../src/domain/types';
import { anyState, boundedState, liquidity, quantity, side } from './support/arbitraries';
import {
  ceilOf,
  costOfChange,
  expOfMinus,
  fixed,
  floorOf,
  logOfOnePlus,
  ONE,
  toNumber,
  withShares,
} from './support/exact';

const RUNS = { numRuns: 400 };
const USD = 1_000_000n;
const state = (b: bigint, sharesYes: bigint, sharesNo: bigint): MarketMakerState => ({
  liquidityParameter: b,
  sharesYes,
  sharesNo,
});

describe('the exact model', () => {
  it('agrees with the closed forms where these are well-behaved', () => {
    const maker = state(100n * USD, 30n * USD, 5n * USD);
    const p = 1 / (1 + Math.exp(-0.25));
    const closedForm = 100e6 * Math.log1p(p * Math.expm1(0.4));
    expect(toNumber(costOfChange(maker, 'YES', 40n * USD))).toBeCloseTo(closedForm, 5);
    expect(toNumber(expOfMinus(ONE))).toBeCloseTo(Math.exp(-1), 15);
    expect(toNumber(logOfOnePlus(ONE))).toBeCloseTo(Math.LN2, 15);
  });
});

describe('buyCost', () => {
  it('is the exact cost rounded up, or one base unit more', () => {
    fc.assert(
      fc.property(anyState, side, quantity, (maker, traded, shares) => {
        const exact = ceilOf(costOfChange(maker, traded, shares));
        const cost = lmsr.buyCost(maker, traded, shares);
        expect(cost >= exact && cost <= exact + 1n).toBe(true);
        expect(cost <= shares).toBe(true);
        expect(cost > 0n).toBe(true);
      }),
      RUNS,
    );
  });

  it('knows the textbook example: 100 shares at b = 100 from 0.5', () => {
    expect(lmsr.buyCost(state(100n * USD, 0n, 0n), 'YES', 100n * USD)).toBe(62_011_451n);
  });

  it('costs nothing for nothing', () => {
    expect(lmsr.buyCost(state(USD, 5n, 0n), 'NO', 0n)).toBe(0n);
  });

  it('is never dearer in one piece than in parts, from within the price bounds', () => {
    fc.assert(
      fc.property(boundedState, side, quantity, quantity, (maker, traded, first, second) => {
        const between = withShares(maker, traded, first);
        fc.pre(lmsr.withinBounds(withShares(between, traded, second)));
        const parts = lmsr.buyCost(maker, traded, first) + lmsr.buyCost(between, traded, second);
        expect(parts >= lmsr.buyCost(maker, traded, first + second)).toBe(true);
      }),
      RUNS,
    );
  });
});

describe('sellProceeds', () => {
  it('is the exact value rounded down, or one base unit less', () => {
    fc.assert(
      fc.property(anyState, side, quantity, (maker, traded, shares) => {
        const exact = floorOf(-costOfChange(maker, traded, -shares));
        const proceeds = lmsr.sellProceeds(maker, traded, shares);
        expect(proceeds <= exact && proceeds >= exact - 1n).toBe(true);
        expect(proceeds >= 0n && proceeds < shares).toBe(true);
      }),
      RUNS,
    );
  });

  it('brings less than the same shares cost, in any state', () => {
    fc.assert(
      fc.property(anyState, side, quantity, (maker, traded, shares) => {
        const cost = lmsr.buyCost(maker, traded, shares);
        expect(lmsr.sellProceeds(withShares(maker, traded, shares), traded, shares) < cost).toBe(true);
      }),
      RUNS,
    );
  });

  it('never brings more in parts than the whole is worth', () => {
    fc.assert(
      fc.property(anyState, side, quantity, quantity, (maker, traded, first, second) => {
        const between = withShares(maker, traded, -first);
        const parts = lmsr.sellProceeds(maker, traded, first) + lmsr.sellProceeds(between, traded, second);
        expect(fixed(parts) <= -costOfChange(maker, traded, -first - second)).toBe(true);
      }),
      RUNS,
    );
  });

  it('loses a base unit at least with every step of a loop of dust, in and out again', () => {
    fc.assert(
      fc.property(
        boundedState,
        side,
        fc.array(fc.bigInt({ min: 1n, max: 9n }), { maxLength: 20 }),
        (maker, traded, sizes) => {
          let current = maker;
          let paid = 0n;
          for (const shares of sizes) {
            paid += lmsr.buyCost(current, traded, shares);
            current = withShares(current, traded, shares);
          }
          for (const shares of sizes.toReversed()) {
            paid -= lmsr.sellProceeds(current, traded, shares);
            current = withShares(current, traded, -shares);
          }
          expect(paid >= BigInt(sizes.length)).toBe(true);
        },
      ),
      RUNS,
    );
  });
});

describe('sharesForCost', () => {
  const isLargest = (maker: MarketMakerState, traded: Side, notional: bigint): void => {
    const shares = lmsr.sharesForCost(maker, traded, notional);
    expect(lmsr.buyCost(maker, traded, shares) <= notional).toBe(true);
    for (const more of [1n, 2n, 3n, 10n, 1_000n]) {
      expect(lmsr.buyCost(maker, traded, shares + more) > notional).toBe(true);
    }
  };

  it('is the largest number of shares within the budget, in any state', () => {
    fc.assert(fc.property(anyState, side, quantity, isLargest), { numRuns: 1_000 });
  });

  it('spends the budget to the last base unit within the price bounds', () => {
    fc.assert(
      fc.property(boundedState, side, quantity, (maker, traded, notional) => {
        const shares = lmsr.sharesForCost(maker, traded, notional);
        fc.pre(lmsr.withinBounds(withShares(maker, traded, shares)));
        expect(lmsr.buyCost(maker, traded, shares)).toBe(notional);
      }),
      { numRuns: 1_000 },
    );
  });

  it('starts from a price of practically nothing too', () => {
    fc.assert(
      fc.property(liquidity, quantity, fc.bigInt({ min: 1n, max: 10_000_000n }), (b, lead, notional) => {
        isLargest(state(b, 0n, lead), 'YES', notional);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is nothing for nothing', () => {
    expect(lmsr.sharesForCost(state(USD, 0n, 0n), 'YES', 0n)).toBe(0n);
  });
});

describe('yesPrice', () => {
  it('is the logistic function of the lead, and the sides mirror each other', () => {
    fc.assert(
      fc.property(boundedState, (maker) => {
        const lead = maker.sharesYes - maker.sharesNo;
        const odds = toNumber(expOfMinus(fixed(lead < 0n ? -lead : lead) / maker.liquidityParameter));
        const larger = 1 / (1 + odds);
        expect(lmsr.yesPrice(maker)).toBeCloseTo(lead < 0n ? 1 - larger : larger, 12);
        const mirrored = lmsr.yesPrice({ ...maker, sharesYes: maker.sharesNo, sharesNo: maker.sharesYes });
        expect(lmsr.yesPrice(maker) + mirrored).toBeCloseTo(1, 12);
      }),
      RUNS,
    );
  });

  it('stays a probability in any state', () => {
    fc.assert(
      fc.property(anyState, (maker) => {
        const price = lmsr.yesPrice(maker);
        expect(price >= 0 && price <= 1).toBe(true);
      }),
      RUNS,
    );
  });
});

describe('withinBounds', () => {
  it('ends exactly where the price passes 0.99', () => {
    fc.assert(
      fc.property(liquidity, quantity, (b, base) => {
        let inside = 4n * b;
        let outside = 5n * b;
        while (outside - inside > 1n) {
          const middle = (inside + outside) / 2n;
          if (expOfMinus(fixed(middle) / b) * 99n >= ONE) inside = middle;
          else outside = middle;
        }
        expect(lmsr.withinBounds(state(b, base + inside, base))).toBe(true);
        expect(lmsr.withinBounds(state(b, base + outside, base))).toBe(false);
        expect(lmsr.withinBounds(state(b, base, base + inside))).toBe(true);
        expect(lmsr.withinBounds(state(b, base, base + outside))).toBe(false);
      }),
      { numRuns: 40 },
    );
  });
});

describe('worstLoss', () => {
  it('is b ln 2 rounded up', () => {
    expect(lmsr.worstLoss(100n * USD)).toBe(69_314_719n);
    fc.assert(
      fc.property(liquidity, (b) => lmsr.worstLoss(b) === ceilOf(b * logOfOnePlus(ONE))),
      RUNS,
    );
  });
});

describe('far from even prices,', () => {
  const b = USD;
  const far = 1_000_000_000n * USD;

  it('a lead of 10^9 b neither overflows nor gives anything away', () => {
    const maker = state(b, far, 0n);
    expect(lmsr.yesPrice(maker)).toBe(1);
    expect(lmsr.buyCost(maker, 'YES', 5n)).toBe(5n);
    expect(lmsr.sellProceeds(maker, 'YES', 5n)).toBe(4n);
    expect(lmsr.buyCost(maker, 'NO', far / 2n)).toBe(1n);
    expect(lmsr.sellProceeds(maker, 'YES', far)).toBe(far - 693_148n);
    expect(lmsr.sellProceeds(withShares(maker, 'NO', USD), 'NO', USD)).toBe(0n);
  });

  it('a budget on the far side buys up to where the price comes back', () => {
    const shares = lmsr.sharesForCost(state(b, far, 0n), 'NO', 693_147n);
    expect(shares >= far - 100n && shares <= far).toBe(true);
  });
});
