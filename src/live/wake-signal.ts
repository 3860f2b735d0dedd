import type { Timers } from '../ports/timers';

/**
 * Wakes a task that waits for work. If `wake` is called while the task works, the task's next wait ends at
 * once.
 */
export interface WakeSignal {
  wake(): void;
  /** Resolves at the next `wake`, after this many milliseconds, or when `signal` is aborted. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
}

export function createWakeSignal(timers: Pick<Timers, 'after'>): WakeSignal {
  let isWoken = false;
  let endWait = (): void => undefined;
  return {
    wake() {
      isWoken = true;
      endWait();
    },
    async wait(milliseconds, signal) {
      if (!isWoken && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const cancel = timers.after(milliseconds, () => endWait());
          endWait = () => {
            cancel();
            signal.removeEventListener('abort', endWait);
            resolve();
          };
          signal.addEventListener('abort', endWait);
        });
      }
      endWait = () => undefined;
      isWoken = false;
    },
  };
}
