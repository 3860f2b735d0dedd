import { createSlidingLog, type SlidingLog } from '../../rate-limit/sliding-log';

const WINDOW_MS = 60_000;

/**
 * Counts the commands of one socket in any 60 seconds. A socket that sends twice as many as the limit is
 * abusive.
 */
export class CommandQuota {
  readonly #limit: number;
  readonly #allowed = createSlidingLog(WINDOW_MS);
  /**
   * The refused commands. Made at the first refusal, because most sockets have none. Both logs together have
   * fewer entries than twice the limit, because the socket is closed before they reach that number.
   */
  #refused: SlidingLog | null = null;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Counts a command. After `abuse` the caller has to close the socket. */
  count(now: number): 'allowed' | 'refused' | 'abuse' {
    const allowed = this.#allowed.countAt(now);
    const refused = this.#refused?.countAt(now) ?? 0;
    if (allowed + refused >= 2 * this.#limit - 1) return 'abuse';
    if (allowed < this.#limit) {
      this.#allowed.add(now);
      return 'allowed';
    }
    this.#refused ??= createSlidingLog(WINDOW_MS);
    this.#refused.add(now);
    return 'refused';
  }
}
