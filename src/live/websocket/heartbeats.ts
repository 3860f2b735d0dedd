import type { Timers } from '../../ports/timers';
import type { SocketSession } from './session';

/**
 * The interval has this many slices. Each socket gets its heartbeat in one slice, so that the heartbeats of
 * thousands of sockets do not block the event loop at once.
 */
const MOST_SLICES = 20;

export interface Heartbeats {
  add(session: SocketSession): void;
  remove(session: SocketSession): void;
}

export function createHeartbeats(timers: Timers, intervalMs: number): Heartbeats {
  const slices = Array.from({ length: MOST_SLICES }, () => new Set<SocketSession>());
  let turn = 0;
  let count = 0;
  let cancel = (): void => undefined;

  function schedule(): void {
    cancel = timers.after(intervalMs / MOST_SLICES, () => {
      for (const session of slices[turn % MOST_SLICES] ?? []) session.heartbeat();
      turn += 1;
      schedule();
    });
  }

  return {
    add(session) {
      // The socket joins the slice whose turn was last, so that about a whole interval passes before its first
      // heartbeat.
      slices[(turn + MOST_SLICES - 1) % MOST_SLICES]?.add(session);
      count += 1;
      if (count === 1) schedule();
    },
    remove(session) {
      if (!slices.some((slice) => slice.delete(session))) return;
      count -= 1;
      if (count === 0) cancel();
    },
  };
}
