/** The only source of time. It decides what is due; the database's clock is never asked. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /**
   * Milliseconds since any fixed instant, from a clock that is never set. The jobs compare it with `now` to notice that `now`
   * has jumped. Without it they notice no jump.
   */
  monotonic?(): number;
}

export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };
