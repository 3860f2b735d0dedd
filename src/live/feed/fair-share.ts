/**
 * Limits the share of its time that an instance spends on one client. After each piece of work, the client waits
 * in proportion to the time that the work took.
 */
import { steadyNow, type Clock } from '../../ports/clock';

/**
 * The share of the time that the work for one client may take. The share is larger if `LONGEST_PAUSE_MS` cuts a
 * pause.
 */
const SHARE = 1 / 3;
/** A shorter pause is not worth a timer, so it is added to the next pause. */
const SHORTEST_PAUSE_MS = 1;
/** No pause is longer, because work that took long may only have waited for a slow storage. */
const LONGEST_PAUSE_MS = 250;

export class FairShare {
  readonly #clock: Clock;
  #owedMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async work<T>(task: () => Promise<T>): Promise<T> {
    const begunAt = steadyNow(this.#clock);
    try {
      return await task();
    } finally {
      // A clock that was set back must not shorten a pause.
      this.#owedMs += Math.max(0, steadyNow(this.#clock) - begunAt) * (1 / SHARE - 1);
    }
  }

  /** How many milliseconds the client has to wait now. 0 while a pause would be too short. */
  takePause(): number {
    if (this.#owedMs < SHORTEST_PAUSE_MS) return 0;
    const pause = Math.min(this.#owedMs, LONGEST_PAUSE_MS);
    this.#owedMs = 0;
    return pause;
  }
}
