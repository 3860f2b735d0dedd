import type { Timers } from '../ports/timers';

/**
 * Wakes a task that waits for work. If `ring` is called while the task works, the task's next wait ends at
 * once.
 */
export interface Bell {
  ring(): void;
  /** Resolves at the next `ring`, after this many milliseconds, or when `signal` is aborted. */
  rung(milliseconds: number, signal: AbortSignal): Promise<void>;
}

export function createBell(timers: Pick<Timers, 'after'>): Bell {
  let hasRung = false;
  let wake = (): void => undefined;
  return {
    ring() {
      hasRung = true;
      wake();
    },
    async rung(milliseconds, signal) {
      if (!hasRung && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const callOff = timers.after(milliseconds, () => wake());
          wake = () => {
            callOff();
            signal.removeEventListener('abort', wake);
            resolve();
          };
          signal.addEventListener('abort', wake);
        });
      }
      wake = () => undefined;
      hasRung = false;
    },
  };
}
