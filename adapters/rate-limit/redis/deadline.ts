import type { Timers } from '../../../src/ports/timers';

/** Rejects when `promise` has not settled after this many milliseconds. Its later result is ignored. */
export async function withDeadline<T>(timers: Timers, milliseconds: number, promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  let callOff = (): void => undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    callOff = timers.after(milliseconds, () => {
      // After a long turn of the event loop the timer comes before the answers that have long arrived.
      void timers.yieldTurn().then(() => reject(new Error(`no answer within ${String(milliseconds)} ms`)));
    });
  });
  try {
    return await Promise.race([promise, deadline]);
  } finally {
    callOff();
  }
}
