import type { Timers } from './timers';

/** One time limit for one task, or for several tasks that run one after another. */
export interface TimeLimit {
  /**
   * Resolves or rejects as `task` does. Rejects when the time is over first. The later result of the task is
   * ignored.
   */
  race<T>(task: Promise<T>): Promise<T>;
  isOver(): boolean;
  /** Cancels the timer. The caller has to call this when the work has ended. */
  end(): void;
}

export function startTimeLimit(
  timers: Timers,
  milliseconds: number,
  lateError: () => Error = () => new Error(`no answer within ${milliseconds} ms`),
): TimeLimit {
  let isOver = false;
  let cancel = (): void => undefined;
  const expiry = new Promise<never>((_resolve, reject) => {
    cancel = timers.after(milliseconds, () => {
      // After a long turn of the event loop, this timer fires before Node has read answers that arrived in
      // time. One more turn lets Node read them first.
      void timers.yieldTurn().then(() => {
        isOver = true;
        reject(lateError());
      });
    });
  });
  // The limit may expire when no code awaits it any more, which must not be an unhandled rejection.
  expiry.catch(() => undefined);
  return {
    race(task) {
      task.catch(() => undefined);
      return Promise.race([task, expiry]);
    },
    isOver: () => isOver,
    end: () => cancel(),
  };
}

/**
 * Resolves or rejects as `task` does. Rejects when `task` has not ended after this many milliseconds. The later
 * result of `task` is ignored.
 */
export async function withinTime<T>(timers: Timers, milliseconds: number, task: Promise<T>): Promise<T> {
  const limit = startTimeLimit(timers, milliseconds);
  try {
    return await limit.race(task);
  } finally {
    limit.end();
  }
}

/**
 * `AbortSignal.timeout` that garbage collection spares. Under Node 20, `AbortSignal.any` holds its signals weakly, so a
 * signal that only it knows may be collected, and its time limit never comes. A signal with a listener is spared.
 */
export function timeoutSignal(milliseconds: number): AbortSignal {
  const signal = AbortSignal.timeout(milliseconds);
  signal.addEventListener('abort', () => undefined, { once: true });
  return signal;
}

/**
 * Resolves or rejects as `task` does. Rejects when `signal` is aborted first. Meant for a task that does not
 * listen to the signal.
 */
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
