/**
 * Notices when the clock jumps against the monotonic clock (a wrong time server, a machine that was suspended). What such a
 * clock calls due cannot be undone, so it waits for one more look: a wrong time is often set right within seconds.
 */
import type { Clock } from '../ports/clock';
import type { Logger } from '../ports/logger';
import type { Timers } from '../ports/timers';
import { LOOK_AGAIN_MS } from '../usecases/fact-now';

const LARGEST_JUMP_MS = 60_000;

export interface ClockWatch {
  /** Looks at both clocks. `false`: the clock has just jumped, and nothing irreversible is done by it. */
  isSteady(): boolean;
  /** Calls off the look that is to come. */
  stop(): void;
}

export interface ClockWatchOptions {
  clock: Clock;
  logger: Logger;
  timers: Timers;
  /** Called when it is time for the look after a jump. */
  lookAgain: () => void;
}

export function createClockWatch({ clock, logger, timers, lookAgain }: ClockWatchOptions): ClockWatch {
  const read = () => ({ now: clock.now(), monotonic: clock.monotonic?.() ?? null });
  let last = read();
  let jumpedAt: number | null = null;
  let callOff = (): void => undefined;

  return {
    isSteady() {
      const { now, monotonic } = read();
      if (monotonic === null || last.monotonic === null) return true;
      const jumpMs = now - last.now - (monotonic - last.monotonic);
      last = { now, monotonic };
      if (Math.abs(jumpMs) > LARGEST_JUMP_MS) {
        logger.warn({ jumpMs }, 'the clock jumped: trades, closing and expiry wait for one more look');
        jumpedAt = monotonic;
        callOff();
        callOff = timers.after(LOOK_AGAIN_MS, lookAgain);
      }
      if (jumpedAt !== null && monotonic - jumpedAt >= LOOK_AGAIN_MS) jumpedAt = null;
      return jumpedAt === null;
    },
    stop: () => callOff(),
  };
}
