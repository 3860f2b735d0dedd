/**
 * An instance with readers pauses between two pages of facts, so that it has time for trades. The busier the instance
 * is, the longer is the pause. A cycle is the handing out of a page and the pause after it.
 */
import { performance } from 'node:perf_hooks';
import { steadyNow, type Clock } from '../../ports/clock';
import type { Timers } from '../../ports/timers';

/**
 * The share of its time that an instance spends on handing out facts when few facts come and it has no other work.
 */
const IDLE_SHARE = 1 / 2;
/** The share that a busy instance aims at. The limits of a cycle and of a pause can make the share larger. */
const BUSY_SHARE = 1 / 10;
/** An instance is busy when other work takes this share of the time that is left beside the handing out. */
const BUSY = 0.3;
/** An instance is also busy when this many facts come per second. */
const MANY_FACTS = 1_200;
/**
 * Up to this many facts per second the longest cycle is `LONGEST_CYCLE_MS`. From here to `MANY_FACTS` it grows to
 * `LONGEST_CYCLE_OF_MANY_MS`.
 */
const FEW_FACTS = 400;
/**
 * The longest cycle while few facts come. A cycle is longer if the handing out takes more than half of this time.
 */
const LONGEST_CYCLE_MS = 24;
/** The longest cycle while many facts come. Fewer and larger writes leave more time for trades. */
const LONGEST_CYCLE_OF_MANY_MS = 150;
/**
 * The most facts of a page while there are readers. The bytes of a larger page could exceed the limit that may wait
 * for a reader.
 */
export const LARGEST_PAGE = 1_100;
/**
 * A cycle ends when about this share of a page is filled. A few facts beyond a full page would need a page of
 * their own, with as many writes.
 */
const FILLED_SHARE = 0.85;
const LONGEST_PAUSE_MS = 130;
/** A shorter pause is not worth a timer. */
const SHORTEST_PAUSE_MS = 2;

/** How many milliseconds the event loop was at work, and how many it waited, since any fixed instant. */
export type LoopTimes = () => { active: number; idle: number };

export interface Pace {
  /** Runs a part of the handing out, and adds its duration to the work of this cycle. */
  work<T>(hand: () => T): T;
  /** Counts facts that are handed out. Called before the work. */
  count(facts: number): void;
  /** Counts, roughly, the facts that this instance has committed. They are handed out later. */
  expect(facts: number): void;
  /** Waits for the pause that follows the work since the last call. */
  rest(): Promise<void>;
}

interface Load {
  /** 0: the loop has no other work. 1: other work takes at least the share `BUSY`. */
  otherWork: number;
  cycleMs: number;
  perSecond: number;
}

export function createPace(
  clock: Clock,
  timers: Timers,
  loopTimes: LoopTimes = () => performance.eventLoopUtilization(),
): Pace {
  let endedAt = -Infinity;
  let workMs = 0;
  let counted = 0;
  let pageAt = -Infinity;
  /** How many facts this instance has committed `since` the newest page, and `before` that page in the same cycle. */
  let expected = { before: 0, since: 0 };
  let before = loopTimes();
  /**
   * The times of the event loop in milliseconds, without the work of handing out. Each `rest` halves the earlier times,
   * so that older times count less.
   */
  let active = 0;
  let idle = 0;

  function measureLoad(): Load {
    const now = loopTimes();
    const activeMs = now.active - before.active;
    const idleMs = now.idle - before.idle;
    before = now;
    active = active / 2 + Math.max(0, activeMs - workMs);
    idle = idle / 2 + idleMs;
    const otherWork = active === 0 ? 0 : active / (active + idle);
    const cycleMs = activeMs + idleMs || Infinity;
    return { otherWork: within01(otherWork / BUSY), cycleMs, perSecond: (1_000 * counted) / cycleMs };
  }

  /** A clock that was set back must not make the pause longer. */
  const since = (instant: number): number => Math.max(0, steadyNow(clock) - instant);

  async function sleep(milliseconds: number): Promise<void> {
    if (milliseconds >= SHORTEST_PAUSE_MS)
      await new Promise<void>((resolve) => void timers.after(milliseconds, resolve));
  }

  /**
   * How fast facts come since the newest page, compared with the last cycle: 0 for no facts, 1 for the same rate or
   * more. Measures only facts that this instance has committed. 1 also if the last cycle had none of them.
   */
  function remainingShare(committed: number, cycleMs: number): number {
    if (committed === 0) return 1;
    return within01((expected.since / Math.max(1, since(pageAt))) * (cycleMs / committed));
  }

  return {
    work(hand) {
      const begunAt = steadyNow(clock);
      const result = hand();
      endedAt = steadyNow(clock);
      workMs += endedAt - begunAt;
      return result;
    },
    count(facts) {
      counted += facts;
      pageAt = steadyNow(clock);
      expected = { before: expected.before + expected.since, since: 0 };
    },
    expect: (facts) => void (expected.since += facts),
    async rest() {
      const load = measureLoad();
      const [took, committed] = [workMs, expected.before];
      const longest = pauseAfter(took, load, load.perSecond);
      const least = pauseAfter(took, load, 0);
      workMs = 0;
      counted = 0;
      expected.before = 0;
      await sleep(least - since(endedAt));
      if (longest <= least) return;
      const perSecond = load.perSecond * remainingShare(committed, load.cycleMs);
      await sleep(Math.min(pauseAfter(took, load, perSecond) - since(endedAt), longest - least));
    },
  };
}

/**
 * The pause in milliseconds after `workMs` of handing out, while `comingPerSecond` facts come. With a pause of
 * `pauseOfShare`, the handing out takes `share` of the time.
 */
function pauseAfter(workMs: number, load: Load, comingPerSecond: number): number {
  const crowded = within01((comingPerSecond - FEW_FACTS) / (MANY_FACTS - FEW_FACTS));
  const busy = Math.max(load.otherWork, crowded);
  const share = IDLE_SHARE - busy * (IDLE_SHARE - BUSY_SHARE);
  const pauseOfShare = workMs * (1 / share - 1);
  const longestCycle = LONGEST_CYCLE_MS + crowded * (LONGEST_CYCLE_OF_MANY_MS - LONGEST_CYCLE_MS);
  const cycleOfFilledPage = (1_000 * FILLED_SHARE * LARGEST_PAGE) / load.perSecond;
  const pauseOfCycle = Math.max(workMs, Math.min(longestCycle, cycleOfFilledPage) - workMs);
  return Math.min(pauseOfShare, pauseOfCycle, LONGEST_PAUSE_MS);
}

const within01 = (value: number): number => Math.min(1, Math.max(0, value));
