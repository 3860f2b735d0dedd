/** The source of time by which the service decides what is due. The clock of the database decides nothing. */
export interface Clock {
  /** The milliseconds since the epoch. */
  now(): number;
  /**
   * The milliseconds since any fixed instant, from a clock that is never set. The jobs compare this time with
   * `now` to notice that `now` has jumped. Without `monotonic` they cannot notice that.
   */
  monotonic?(): number;
}

/**
 * The present instant for measuring a duration, in milliseconds: by the monotonic clock if there is one. It is
 * no calendar time.
 */
export const steadyNow = (clock: Clock): number => clock.monotonic?.() ?? clock.now();

export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };

/**
 * After a jump of the clock, the jobs wait this long (by the monotonic clock) before they read the clock
 * again. Callers are told to try again after this time.
 */
export const LOOK_AGAIN_MS = 5_000;
