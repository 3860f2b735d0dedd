/** The only source of time. It decides what is due. The clock of the database is never asked. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /**
   * Milliseconds since any fixed instant, from a clock that is never set. The jobs compare it with `now` to
   * notice that `now` has jumped. If it is left out, they cannot notice that.
   */
  monotonic?(): number;
}

/**
 * Milliseconds for measuring a duration: by the monotonic clock if there is one. The figure is no calendar
 * time.
 */
export const steadyNow = (clock: Clock): number => clock.monotonic?.() ?? clock.now();

export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };

/**
 * After a jump of the clock, the jobs look at the clock once more. This is how long they wait before that, by
 * the monotonic clock. Callers are told to try again after this time.
 */
export const LOOK_AGAIN_MS = 5_000;
