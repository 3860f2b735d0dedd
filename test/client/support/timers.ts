import type { ClientTimers } from '../../../src/client/index';
import { TEST_START } from '../../../testing/index';

export interface TestTimers extends ClientTimers {
  /** Milliseconds of the past pauses between attempts. */
  pauses: number[];
}

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
