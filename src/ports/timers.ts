import timers from 'node:timers';
import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Waits in real time, for loops and time limits. The port `Clock`, not a timer, decides whether something is
 * due.
 */
export interface Timers {
  /** Calls back once after this many milliseconds. Returns a function that cancels the call. */
  after(milliseconds: number, callback: () => void): () => void;
  /** Resolves after the event loop has handled the events that already wait. */
  yieldTurn(): Promise<void>;
}

/** The timers of background work. They do not keep the process alive. */
export const realTimers: Timers = {
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    timer.unref();
    return () => clearTimeout(timer);
  },
  yieldTurn: () => nextTurn(),
};

/**
 * The timers for the time limit of an answer that a caller awaits. They keep the process alive while they run.
 */
export const awaitedTimers: Timers = {
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
  yieldTurn: () => nextTurn(),
};

// The functions are read when this file is loaded, because fake timers of a host's tests later replace those
// of the module.
const { setTimeout: beginPause, clearTimeout: endPause } = timers;

/** The timers of a short pause in the work on a request. Fake timers of a host's tests do not stop them. */
export const pauseTimers: Timers = {
  after(milliseconds, callback) {
    const timer = beginPause(callback, milliseconds);
    return () => endPause(timer);
  },
  yieldTurn: () => nextTurn(),
};
