/** The instants of the counted calls of one subject, oldest first. */
export interface SlidingLog {
  /** Forgets the calls that have left the window and counts the rest. */
  countAt(now: number): number;
  add(now: number): void;
  /** When the oldest remembered call leaves the window; `null` when there is none. */
  oldestLeavesAt(): number | null;
}

/** Forgotten entries are cut off the front in bites, so that a call costs constant time on average. */
const COMPACT_AT = 64;

export function createSlidingLog(windowMs: number): SlidingLog {
  let instants: number[] = [];
  let first = 0;

  function forget(now: number): void {
    const newest = instants[instants.length - 1];
    // A clock that was set back by more than a window would hold its callers up for as long: start over.
    if (newest !== undefined && now < newest - windowMs) {
      instants = [];
      first = 0;
    }
    while (first < instants.length && (instants[first] ?? 0) <= now - windowMs) first += 1;
    if (first === 0) return;
    // Where nothing is left, a full cut: a forgotten instant must not move later ones up (see `add`).
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
      // Keeps the log ascending when the clock steps back a little.
      instants.push(Math.max(now, instants[instants.length - 1] ?? now));
    },
    oldestLeavesAt: () => {
      const oldest = instants[first];
      return oldest === undefined ? null : oldest + windowMs;
    },
  };
}
