import type { Timers } from './timers';

/** One time limit, for one task or for several tasks one after another. */
export interface TimeLimit {
  /** Ends as `task` does, or rejects when the time is over first. What the task does later is ignored. */
  race<T>(task: Promise<T>): Promise<T>;
  isOver(): boolean;
  /** Cancels the timer. The caller has to call it when the work has ended. */
  end(): void;
}

export function startTimeLimit(
  timers: Timers,
  milliseconds: number,
  lateError: () => Error = () => new Error(`no answer within ${milliseconds} ms`),
): TimeLimit {
  let isOver = false;
  let callOff = (): void => undefined;
  const expiry = new Promise<never>((_resolve, reject) => {
    callOff = timers.after(milliseconds, () => {
      // After a long turn of the event loop, the timer fires before answers that arrived in time are read.
      // They are read first.
      void timers.yieldTurn().then(() => {
        isOver = true;
        reject(lateError());
      });
    });
  });
  // The limit may expire when no code waits for it any more.
  expiry.catch(() => undefined);
  return {
    race(task) {
      task.catch(() => undefined);
      return Promise.race([task, expiry]);
    },
    isOver: () => isOver,
    end: () => callOff(),
  };
}

/** Ends as `task` does. Rejects when `task` has not ended after this many milliseconds. Its later result is ignored. */
export async function withinTime<T>(timers: Timers, milliseconds: number, task: Promise<T>): Promise<T> {
  const limit = startTimeLimit(timers, milliseconds);
  try {
    return await limit.race(task);
  } finally {
    limit.end();
  }
}

/** Ends as `task` does, or rejects when `signal` is aborted first. For a task that does not listen to the signal. */
export async function unlessAborted<T>(
  signal: AbortSignal,
  task: Promise<T>,
  abortedError: () => Error,
): Promise<T> {
  task.catch(() => undefined);
  if (signal.aborted) throw abortedError();
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(abortedError());
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([task, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
