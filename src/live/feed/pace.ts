/**
 * Between two pages of facts an instance with thousands of readers rests. What is committed meanwhile leaves in
 * one write for each reader, and the rest of the time is for trades. A page that was handed out quickly is
 * followed at once.
 */
import { steadyNow, type Clock } from '../../ports/clock';
import type { Timers } from '../../ports/timers';

/** Handing out then takes a quarter of the time. */
const REST_FOR_WORK = 3;
/** So that a message is late by no more than this. */
const LONGEST_REST_MS = 25;
/** Shorter rests are not worth a timer. */
const SHORTEST_REST_MS = 2;

export interface Pace {
  /** Runs the work and notes how long it took. */
  work(hand: () => void): void;
  /** Fulfils when the rest that the last work asks for is over. */
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
      // A clock that was set back must not make the rest longer.
      const passed = Math.max(0, steadyNow(clock) - endedAt);
      const left = restMs - passed;
      restMs = 0;
      if (left >= SHORTEST_REST_MS) await new Promise<void>((resolve) => void timers.after(left, resolve));
    },
  };
}
