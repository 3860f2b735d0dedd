/** The only source of time. What is due is judged by this clock, never by the database's. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /**
   * Milliseconds from any start, of a clock that nobody sets. Beside it a jump of `now` is noticed; without it none is.
   */
  monotonic?(): number;
}

export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };
