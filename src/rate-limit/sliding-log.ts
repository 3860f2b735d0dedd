/** The instants of the counted requests of one subject, oldest first. */
export interface SlidingLog {
  /** Forgets the requests that have left the window, and counts those that are in it. */
  countAt(now: number): number;
  add(now: number): void;
  /** When the oldest remembered request leaves the window. `null` when no request is remembered. */
  oldestLeavesAt(): number | null;
}

/**
 * While entries remain, the array is copied only when at least this many entries, and at least half of all entries,
 * are forgotten. So a request costs constant time on average.
 */
const COMPACT_AT = 64;

export function createSlidingLog(windowMs: number): SlidingLog {
  return new InstantsLog(windowMs);
}

/**
 * This is a class, because there are thousands of logs, and closures for each log would take more memory.
 */
class InstantsLog implements SlidingLog {
  readonly #windowMs: number;
  #instants: number[] = [];
  #first = 0;

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  countAt(now: number): number {
    this.#forget(now);
    return this.#instants.length - this.#first;
  }

  add(now: number): void {
    const newest = this.#instants[this.#instants.length - 1];
    if (newest === undefined) this.#instants = [now];
    // The instants stay in ascending order even if the clock steps back a little.
    else this.#instants.push(Math.max(now, newest));
  }

  oldestLeavesAt(): number | null {
    const oldest = this.#instants[this.#first];
    return oldest === undefined ? null : oldest + this.#windowMs;
  }

  #forget(now: number): void {
    const newest = this.#instants[this.#instants.length - 1];
    // If the clock was set back by more than a window, the old instants would count for too long. So they are
    // forgotten.
    if (newest !== undefined && now < newest - this.#windowMs) {
      this.#instants = [];
      this.#first = 0;
    }
    const { length } = this.#instants;
    while (this.#first < length && (this.#instants[this.#first] ?? 0) <= now - this.#windowMs)
      this.#first += 1;
    if (this.#first === 0) return;
    // If no instant is left, the array is always cut. Otherwise `add` would compare a new instant with a
    // forgotten one, and could store the forgotten instant in place of the new one.
    if (this.#first < length && (this.#first < COMPACT_AT || this.#first * 2 < length)) return;
    this.#instants = this.#instants.slice(this.#first);
    this.#first = 0;
  }
}
