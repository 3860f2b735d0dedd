/** The instants of the counted requests of one subject, oldest first. */
export interface SlidingLog {
  /** Forgets the requests that have left the window and counts the rest. */
  countAt(now: number): number;
  add(now: number): void;
  /** When the oldest remembered request leaves the window. `null` when no request is remembered. */
  oldestLeavesAt(): number | null;
}

/**
 * The array is copied only when at least this many entries are forgotten, so that a request costs constant time
 * on average.
 */
const COMPACT_AT = 64;

export function createSlidingLog(windowMs: number): SlidingLog {
  let instants: number[] = [];
  let first = 0;

  function forget(now: number): void {
    const newest = instants[instants.length - 1];
    // If the clock was set back by more than a window, the old instants would count for too long. So the log
    // starts anew.
    if (newest !== undefined && now < newest - windowMs) {
      instants = [];
      first = 0;
    }
    while (first < instants.length && (instants[first] ?? 0) <= now - windowMs) first += 1;
    if (first === 0) return;
    // If no instant is left, the array is always cut. Otherwise `add` would move a new instant up to a
    // forgotten one.
    if (first < instants.length && (first < COMPACT_AT || first * 2 < instants.length)) return;
    instants = instants.slice(first);
    first = 0;
  }

  return {
    countAt(now) {
      forget(now);
      return instants.length - first;
    },
    add(now) {
      // The instants stay in ascending order even if the clock steps back a little.
      instants.push(Math.max(now, instants[instants.length - 1] ?? now));
    },
    oldestLeavesAt: () => {
      const oldest = instants[first];
      return oldest === undefined ? null : oldest + windowMs;
    },
  };
}
