import fc from 'fast-check';
import { roundDown } from '../../src/client/index';
import { wholeMicros } from '../../src/domain/money';

it('`roundDown` rounds down to an amount that the service takes, and keeps one that it takes already', () => {
  const amounts = fc.double({ min: 0, max: 1e9, noNaN: true });
  fc.assert(
    fc.property(amounts, (value) => {
      const rounded = roundDown(value);
      expect(wholeMicros(rounded)).not.toBeNull();
      expect(rounded).toBeLessThanOrEqual(value + 1e-9);
      expect(rounded).toBeGreaterThan(value - 1.3e-6);
      expect(roundDown(rounded)).toBe(rounded);
    }),
  );
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1e15 }), (micros) => {
      expect(roundDown(micros / 1e6)).toBe(micros / 1e6);
    }),
    { numRuns: 2_000 },
  );
  expect([0.1 + 0.2, 0.7 * 3, 1.1 * 3, 1.000_000_9].map(roundDown)).toEqual([0.3, 2.1, 3.3, 1]);
});
