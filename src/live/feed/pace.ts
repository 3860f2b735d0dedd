/**
 * Between two pages of facts an instance with thousands of readers pauses, so that it has time for trades.
 * Facts that are committed meanwhile leave in one write for each reader. After a page that was handed out
 * quickly there is no pause.
 */
import { steadyNow, type Clock } from '../../ports/clock';
import type { Timers } from '../../ports/timers';

/** The pause is three times as long as the work, so handing out takes a quarter of the time. */
const REST_FOR_WORK = 3;
/** The longest pause, which is the longest delay of a message by this file. */
const LONGEST_REST_MS = 25;
/** A shorter pause is not worth a timer. */
const SHORTEST_REST_MS = 2;

export interface Pace {
  /** Runs the work and notes how long it took. */
  work(hand: () => void): void;
  /** Fulfils when the pause after the last work is over. */
  rest(): Promise<void>;
}

export function createPace(clock: Clock, timers: Timers): Pace {
  let endedAt = -Infinity;
  let restMs = 0;
  return {
    work(hand) {
      const begunAt = steadyNow(clock);
      hand();
      endedAt = steadyNow(clock);
      restMs = Math.min(REST_FOR_WORK * (endedAt - begunAt), LONGEST_REST_MS);
    },
    async rest() {
      // A clock that was set back must not make the pause longer.
      const passed = Math.max(0, steadyNow(clock) - endedAt);
      const left = restMs - passed;
      restMs = 0;
      if (left >= SHORTEST_REST_MS) await new Promise<void>((resolve) => void timers.after(left, resolve));
    },
  };
}
