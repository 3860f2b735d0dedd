import { setImmediate as nextTurn } from 'node:timers/promises';

/** Waits in real time, for loops and time limits. Whether something is due is decided by the port `Clock`. */
export interface Timers {
  /** Calls back once after so many milliseconds. Returns a function that cancels the call. */
  after(milliseconds: number, callback: () => void): () => void;
  /** Fulfils after the event loop has handled what already waits. */
  yieldTurn(): Promise<void>;
}

/** For work in the background. They do not keep the process alive. */
export const realTimers: Timers = {
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    timer.unref();
    return () => clearTimeout(timer);
  },
  yieldTurn: () => nextTurn(),
};

/** For the time limit of an answer that a caller awaits. They keep the process alive until then. */
export const awaitedTimers: Timers = {
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
  yieldTurn: () => nextTurn(),
};
