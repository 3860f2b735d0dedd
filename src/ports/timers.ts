import { setImmediate as nextTurn } from 'node:timers/promises';

/** Real time, for waiting only (loops, time limits): what is due is judged by the clock. */
export interface Timers {
  /** Calls once after so many milliseconds; returns how to call it off. Keeps no process alive. */
  after(milliseconds: number, callback: () => void): () => void;
  /** Lets everything else that waits have its turn. */
  yieldTurn(): Promise<void>;
}

export const realTimers: Timers = {
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    timer.unref();
    return () => clearTimeout(timer);
  },
  yieldTurn: () => nextTurn(),
};
