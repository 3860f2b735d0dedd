import type { Timers } from '../ports/timers';

/** Hints that there may be work. A hint that comes while the one that waits is at work is kept. */
export interface Bell {
  ring(): void;
  /** Fulfils at the next hint, after so many milliseconds, or when `signal` is aborted. */
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
