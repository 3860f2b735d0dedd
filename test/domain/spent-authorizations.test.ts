/** A payment that another deployment has served is refused here, and one that is ours is never lost to a second's rounding. */
import fc from 'fast-check';
import { wasPresentedFirst } from '../../src/domain/payments';

const START_SECONDS = 1_800_000_000;
/** Milliseconds of real time after the start. */
const instant = fc.integer({ min: 0, max: 3_600_000 });
/** How far our clock is off, milliseconds. */
const offset = fc.integer({ min: -300_000, max: 300_000 });
const secondsAt = (realMs: number): number => START_SECONDS + Math.floor(realMs / 1000);

it('what was presented before it was spent is ours, by a clock that is right', () => {
  fc.assert(
    fc.property(instant, instant, instant, (presented, later, muchLater) => {
      const spent = presented + later;
      const now = spent + muchLater;
      const createdAt = START_SECONDS * 1000 + presented;
      const times = { spentAt: secondsAt(spent), asOf: secondsAt(now) };
      expect(wasPresentedFirst({ createdAt }, times, START_SECONDS * 1000 + now)).toBe(true);
    }),
  );
});

it('what was spent more than two seconds before it was presented is never ours, also by a wrong clock', () => {
  fc.assert(
    fc.property(instant, instant, instant, offset, (spent, later, muchLater, off) => {
      const presented = spent + 2_001 + later;
      const now = presented + muchLater;
      const ours = (realMs: number): number => START_SECONDS * 1000 + realMs + off;
      const times = { spentAt: secondsAt(spent), asOf: secondsAt(now) };
      expect(wasPresentedFirst({ createdAt: ours(presented) }, times, ours(now))).not.toBe(true);
    }),
  );
});

it('what was spent 2,001 ms before it was presented is not ours by a clock that is 10.5 s slow', () => {
  const slow = (realMs: number): number => START_SECONDS * 1000 + realMs - 10_500;
  const times = { spentAt: secondsAt(0), asOf: secondsAt(2_531) };
  expect(wasPresentedFirst({ createdAt: slow(2_001) }, times, slow(2_531))).toBe(false);
});

it('without the time of its block nothing is known', () => {
  expect(wasPresentedFirst({ createdAt: 0 }, {}, 0)).toBeNull();
  expect(wasPresentedFirst({ createdAt: 0 }, { asOf: 5 }, 0)).toBeNull();
});

it('without the newest block the time of its own decides', () => {
  const createdAt = START_SECONDS * 1000 + 999;
  const judged = (spentAt: number) => wasPresentedFirst({ createdAt }, { spentAt }, createdAt);
  expect([judged(START_SECONDS - 1), judged(START_SECONDS)]).toEqual([false, true]);
});
