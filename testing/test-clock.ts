import { kindOf } from '../src/domain/options';
import type { Clock } from '../src/ports/clock';

/** A clock that stands still until the test moves it. */
export interface TestClock extends Clock {
  /** Moves the clock on. A negative number moves it back. */
  advance(milliseconds: number): void;
  /** Sets the time, in milliseconds since the epoch or ISO 8601. */
  set(instant: number | string): void;
}

/** The time of a clock that `testClock()` makes without `start`. */
export const TEST_START = '2030-01-01T00:00:00.000Z';

/** Makes a clock that stands still at `start`, in milliseconds since the epoch or ISO 8601. */
export function testClock(start: number | string = TEST_START): TestClock {
  let now = millisecondsOf(start);
  return {
    now: () => now,
    advance: (milliseconds) => {
      // Adding a text would make a text of the time. Adding `undefined` would make it NaN for all later
      // calls.
      if (!Number.isInteger(milliseconds))
        throw new RangeError(`Not a whole number of milliseconds: ${inWords(milliseconds)}`);
      now += milliseconds;
    },
    set: (instant) => {
      now = millisecondsOf(instant);
    },
  };
}

function millisecondsOf(instant: number | string): number {
  const milliseconds = typeof instant === 'number' ? instant : Date.parse(instant);
  if (!Number.isInteger(milliseconds))
    throw new RangeError(`Not an instant: ${inWords(instant)}; give milliseconds or ISO 8601`);
  return milliseconds;
}

/**
 * A value in words. JSON would show a Date as a text and a promise as an empty object, so the function names the kind
 * of such a value.
 */
function inWords(value: unknown): string {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? JSON.stringify(value) : kindOf(value);
}
