import fc from 'fast-check';
import {
  ceilDivide,
  decimalPlaces,
  feeOn,
  floorDivide,
  formatMicros,
  microsToUsd,
  notionalWithinBudget,
  usdToMicros,
  wholeMicros,
} from '../../src/domain/money';

describe('usdToMicros', () => {
  it.each([
    [0, 0n],
    [-0, 0n],
    [0.1, 100_000n],
    [0.07, 70_000n],
    [1.005, 1_005_000n],
    [0.000001, 1n],
    [1e-6, 1n],
    [1.5e-5, 15n],
    [-2.5, -2_500_000n],
    [123456789.123456, 123_456_789_123_456n],
    [1e9, 1_000_000_000_000_000n],
    [1e21, 10n ** 27n],
    [1.25e22, 125n * 10n ** 26n],
  ])('takes %d for %d micros', (usd, micros) => {
    expect(usdToMicros(usd)).toBe(micros);
  });

  it.each([1e-7, 0.1234567, 1.0000001, NaN, Infinity, -Infinity])('refuses %d', (usd) => {
    expect(() => usdToMicros(usd)).toThrow(RangeError);
  });

  it('is undone by microsToUsd over the whole range of amounts', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }), (micros) => {
        expect(usdToMicros(microsToUsd(micros))).toBe(micros);
      }),
    );
  });
});

describe('wholeMicros', () => {
  /** Returns `null` if `usdToMicros` refuses the amount, or if the amount is above a billion USD. */
  const byDigits = (usd: number): bigint | null => {
    try {
      return Math.abs(usd) <= 1e9 ? usdToMicros(usd) : null;
    } catch {
      return null;
    }
  };

  it('agrees with the digits of any number of micros, and of the floats next to it', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }),
        fc.integer({ min: -3, max: 3 }),
        (micros, steps) => {
          const usd = stepsFrom(microsToUsd(micros), steps);
          expect(wholeMicros(usd)).toBe(byDigits(usd));
        },
      ),
    );
  });

  it('agrees with the digits of any other number', () => {
    fc.assert(fc.property(fc.double(), (usd) => expect(wholeMicros(usd)).toBe(byDigits(usd))));
    fc.assert(
      fc.property(fc.double({ min: -1e9, max: 1e9 }), (usd) => expect(wholeMicros(usd)).toBe(byDigits(usd))),
    );
  });

  it.each([
    [-0, 0n],
    [1e9, 10n ** 15n],
    [-1e9, -(10n ** 15n)],
    [1_000_000_000.000_001, null],
    [1e300, null],
    [1e-7, null],
    [NaN, null],
    [Infinity, null],
  ])('gives %d as %s', (usd, micros) => {
    expect(wholeMicros(usd)).toBe(micros);
  });
});

function stepsFrom(value: number, steps: number): number {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  const magnitude = bits.getBigInt64(0) + BigInt(steps);
  bits.setBigInt64(0, value === 0 ? 0n : magnitude);
  return bits.getFloat64(0);
}

describe('microsToUsd', () => {
  it('rounds once, also beyond the integers of a float', () => {
    expect(microsToUsd(1n)).toBe(0.000001);
    expect(microsToUsd(9_223_372_036_854_775_807n)).toBe(Number('9223372036854.775807'));
    expect(microsToUsd(-9_007_199_254_740_993n)).toBe(-9007199254.740993);
  });
});

describe('decimalPlaces', () => {
  it.each([
    [12, 0],
    [0.5, 1],
    [1e-7, 7],
    [1.25e-7, 9],
    [1e21, 0],
    [1.5e21, 0],
    [-0.000001, 6],
  ])('of %d is %d', (value, places) => {
    expect(decimalPlaces(value)).toBe(places);
  });
});

describe('formatMicros', () => {
  it.each([
    [0n, '0'],
    [1_500_000n, '1.5'],
    [-1n, '-0.000001'],
    [1_000_000n, '1'],
    [12_345_678n, '12.345678'],
  ])('%d is %s', (micros, text) => {
    expect(formatMicros(micros)).toBe(text);
  });
});

describe('division', () => {
  it('floors and ceils for either sign', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.bigInt({ min: 1n, max: 10n ** 20n }), (dividend, divisor) => {
        const floor = floorDivide(dividend, divisor);
        expect(floor * divisor <= dividend && dividend < (floor + 1n) * divisor).toBe(true);
        const ceil = ceilDivide(dividend, divisor);
        expect((ceil - 1n) * divisor < dividend && dividend <= ceil * divisor).toBe(true);
      }),
    );
  });
});

describe('the fee', () => {
  const basisPoints = fc.bigInt({ min: 0n, max: 10_000n });
  const amounts = fc.bigInt({ min: 0n, max: 10n ** 15n });

  it('is rounded up', () => {
    expect(feeOn(0n, 50n)).toBe(0n);
    expect(feeOn(1n, 50n)).toBe(1n);
    expect(feeOn(200n, 50n)).toBe(1n);
    expect(feeOn(201n, 50n)).toBe(2n);
    expect(feeOn(10_000_000n, 50n)).toBe(50_000n);
  });

  it('is never more than the notional', () => {
    fc.assert(fc.property(amounts, basisPoints, (notional, rate) => feeOn(notional, rate) <= notional));
  });

  it('leaves the most notional that a budget allows', () => {
    fc.assert(
      fc.property(amounts, basisPoints, (amount, rate) => {
        const notional = notionalWithinBudget(amount, rate);
        const total = (value: bigint): bigint => value + feeOn(value, rate);
        expect(total(notional) <= amount).toBe(true);
        expect(total(notional + 1n) > amount).toBe(true);
      }),
    );
  });
});
