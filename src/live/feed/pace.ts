/**
 * Between two pages of facts an instance with thousands of readers pauses, so that it has time for trades.
 * Facts that are committed meanwhile leave in one write for each reader. The busier the instance is with trades,
 * the longer is the pause. After a page that was handed out quickly there is no pause.
 */
import { performance } from 'node:perf_hooks';
import { steadyNow, type Clock } from '../../ports/clock';
import type { Timers } from '../../ports/timers';

/** The share of its time in which an instance without other work hands out. */
const LARGEST_SHARE = 1 / 2;
/** The same share for an instance that is busy. */
const LEAST_SHARE = 1 / 10;
/** An instance is busy when its event loop spends this share of the remaining time on other work. */
const BUSY = 0.3;
/**
 * Handing out and the pause take at most this long together, so that 1,000 readers get their messages soon.
 */
const LONGEST_CYCLE_MS = 42;
/** With more readers the pause may be as long as the work, up to this limit. */
const LONGEST_PAUSE_MS = 100;
/** A shorter pause is not worth a timer. */
const SHORTEST_PAUSE_MS = 2;

/** How many milliseconds the event loop was at work, and how many it waited, since any fixed instant. */
export type LoopTimes = () => { active: number; idle: number };

export interface Pace {
  /** Runs a part of handing out, and adds up how long the parts took. */
  work<T>(hand: () => T): T;
  /** Fulfils when the pause after the work since the last call is over. */
  rest(): Promise<void>;
  /** Whether the event loop spent much of the time before the last rest on other work. */
  isBusy(): boolean;
}

export function createPace(
  clock: Clock,
  timers: Timers,
  loopTimes: LoopTimes = () => performance.eventLoopUtilization(),
): Pace {
  let endedAt = -Infinity;
  let workMs = 0;
  let before = loopTimes();
  /**
   * The loop's times without the work of handing out. At each rest, the times before it are halved, so that
   * older times count less.
   */
  let active = 0;
  let idle = 0;
  let busy = 0;

  /** The share of the time without the work in which the loop was active. */
  function otherWork(): number {
    const now = loopTimes();
    active = active / 2 + Math.max(0, now.active - before.active - workMs);
    idle = idle / 2 + now.idle - before.idle;
    before = now;
    return active === 0 ? 0 : active / (active + idle);
  }

  return {
    work(hand) {
      const begunAt = steadyNow(clock);
      const result = hand();
      endedAt = steadyNow(clock);
      workMs += endedAt - begunAt;
      return result;
    },
    async rest() {
      // A clock that was set back must not make the pause longer.
      const passed = Math.max(0, steadyNow(clock) - endedAt);
      busy = Math.min(1, otherWork() / BUSY);
      const left = pauseAfter(workMs, busy) - passed;
      workMs = 0;
      if (left >= SHORTEST_PAUSE_MS) await new Promise<void>((resolve) => void timers.after(left, resolve));
    },
    isBusy: () => busy === 1,
  };
}

/**
 * `busy` rises from 0, when the loop has no other work, to 1, when other work takes at least the share
 * `BUSY`.
 */
function pauseAfter(workMs: number, busy: number): number {
  const share = LARGEST_SHARE - busy * (LARGEST_SHARE - LEAST_SHARE);
  const wanted = workMs * (1 / share - 1);
  const most = Math.max(workMs, LONGEST_CYCLE_MS - workMs);
  return Math.min(wanted, most, LONGEST_PAUSE_MS);
}
