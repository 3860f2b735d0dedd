/**
 * Notices that the clock has jumped, by comparing it with the monotonic clock. For some seconds after a jump, jobs
 * whose work cannot be undone wait, and changes of markets are refused, because the clock may be corrected in that
 * time.
 */
import { LOOK_AGAIN_MS, type Clock } from '../ports/clock';
import type { Logger } from '../ports/logger';
import type { Timers } from '../ports/timers';

const LARGEST_JUMP_MS = 60_000;

export interface ClockWatch {
  /**
   * Compares the clock with the monotonic clock. `false`: the clock has just jumped, so the caller must do
   * nothing that cannot be undone.
   */
  isSteady(): boolean;
  /** Cancels the next call of `lookAgain`, if there is one. */
  stop(): void;
}

export interface ClockWatchOptions {
  clock: Clock;
  logger: Logger;
  timers: Timers;
  /** Called `LOOK_AGAIN_MS` after a jump, so that the jobs that wait run and read the clock again. */
  lookAgain: () => void;
}

export function createClockWatch({ clock, logger, timers, lookAgain }: ClockWatchOptions): ClockWatch {
  const read = () => ({ now: clock.now(), monotonic: clock.monotonic?.() ?? null });
  let last = read();
  let jumpedAt: number | null = null;
  let cancel = (): void => undefined;

  return {
    isSteady() {
      const { now, monotonic } = read();
      if (monotonic === null || last.monotonic === null) return true;
      const jumpMs = now - last.now - (monotonic - last.monotonic);
      last = { now, monotonic };
      if (Math.abs(jumpMs) > LARGEST_JUMP_MS) {
        logger.warn({ jumpMs }, 'the clock jumped: trades, closing and expiry wait for one more look');
        jumpedAt = monotonic;
        cancel();
        cancel = timers.after(LOOK_AGAIN_MS, lookAgain);
      }
      if (jumpedAt !== null && monotonic - jumpedAt >= LOOK_AGAIN_MS) jumpedAt = null;
      return jumpedAt === null;
    },
    stop: () => cancel(),
  };
}
