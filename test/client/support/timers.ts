/** Timers whose pauses end at once. Each pause moves the clock on by its length. */
import type { ClientTimers } from '../../../src/client/index';
import { TEST_START } from '../../../testing/index';

export interface TestTimers extends ClientTimers {
  /** The past pauses between attempts, in milliseconds. */
  pauses: number[];
}

/** The limit for an answer. This time passes only with `timesOut`. */
export const TIMEOUT_MS = 1_000_000;

export function testTimers({ timesOut = false, start = Date.parse(TEST_START) } = {}): TestTimers {
  let time = start;
  const pauses: number[] = [];
  return {
    pauses,
    now: () => time,
    after(milliseconds, callback) {
      const isLimit = milliseconds === TIMEOUT_MS;
      if (isLimit && !timesOut) return () => undefined;
      if (!isLimit) pauses.push(milliseconds);
      let cancelled = false;
      queueMicrotask(() => {
        if (cancelled) return;
        time += milliseconds;
        callback();
      });
      return () => {
        cancelled = true;
      };
    },
  };
}
