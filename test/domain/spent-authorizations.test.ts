import fc from 'fast-check';
import { firstUseOf } from '../../src/domain/payments';

const START_SECONDS = 1_800_000_000;
/** Milliseconds after the start. */
const instant = fc.integer({ min: 0, max: 3_600_000 });
/** The error of our clock in milliseconds. */
const offset = fc.integer({ min: -300_000, max: 300_000 });
const secondsAt = (realMs: number): number => START_SECONDS + Math.floor(realMs / 1000);

it('an authorization that was presented before it was spent is ours, by a clock that is right', () => {
  fc.assert(
    fc.property(instant, instant, instant, (presented, later, muchLater) => {
      const spent = presented + later;
      const now = spent + muchLater;
      const createdAt = START_SECONDS * 1000 + presented;
      const times = { spentAt: secondsAt(spent), asOf: secondsAt(now) };
      expect(firstUseOf({ createdAt }, times, START_SECONDS * 1000 + now)).toBe('presented');
    }),
  );
});

it('an authorization that was spent more than two seconds before it was presented is never ours, by any clock', () => {
  fc.assert(
    fc.property(instant, instant, instant, offset, (spent, later, muchLater, off) => {
      const presented = spent + 2_001 + later;
      const now = presented + muchLater;
      const ours = (realMs: number): number => START_SECONDS * 1000 + realMs + off;
      const times = { spentAt: secondsAt(spent), asOf: secondsAt(now) };
      expect(firstUseOf({ createdAt: ours(presented) }, times, ours(now))).not.toBe('presented');
    }),
  );
});

it('an authorization that was spent 2,001 ms before it was presented is not ours by a clock that is 10.5 s slow', () => {
  const slow = (realMs: number): number => START_SECONDS * 1000 + realMs - 10_500;
  const times = { spentAt: secondsAt(0), asOf: secondsAt(2_531) };
  expect(firstUseOf({ createdAt: slow(2_001) }, times, slow(2_531))).toBe('spent');
});

it('an authorization is not known to be ours without the time of its block', () => {
  expect(firstUseOf({ createdAt: 0 }, {}, 0)).toBe('unknown');
  expect(firstUseOf({ createdAt: 0 }, { asOf: 5 }, 0)).toBe('unknown');
});

it('an authorization is judged by the time of its own block where the newest block is not known', () => {
  const createdAt = START_SECONDS * 1000 + 999;
  const judged = (spentAt: number) => firstUseOf({ createdAt }, { spentAt }, createdAt);
  expect([judged(START_SECONDS - 1), judged(START_SECONDS)]).toEqual(['spent', 'presented']);
});

it('a clock that is ahead cannot be told from a node that is behind, so an honest payer is not served by such figures', () => {
  fc.assert(
    fc.property(fc.integer({ min: 10, max: 240 }), fc.integer({ min: 0, max: 5 }), (off, after) => {
      const honest = {
        createdAt: (START_SECONDS + off) * 1000,
        times: { spentAt: START_SECONDS + after, asOf: START_SECONDS + after },
        now: (START_SECONDS + off + after) * 1000,
      };
      const spentBefore = {
        createdAt: (START_SECONDS + off) * 1000,
        times: { spentAt: START_SECONDS + after, asOf: START_SECONDS + off + after - off },
        now: (START_SECONDS + off + after) * 1000,
      };
      expect(honest).toEqual(spentBefore);
      expect(firstUseOf(honest, honest.times, honest.now)).not.toBe('presented');
    }),
  );
});
