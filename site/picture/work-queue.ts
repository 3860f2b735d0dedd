export class TooManyWait extends Error {}

/**
 * Runs work that needs much CPU time one piece after another, with pauses. If `mostWaiting` pieces wait, further work
 * is rejected with `TooManyWait`.
 */
export function workQueue(
  mostWaiting: number,
  pause: () => Promise<void>,
): <T>(work: () => Promise<T>) => Promise<T> {
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    if (waiting >= mostWaiting) return Promise.reject(new TooManyWait());
    waiting += 1;
    const mine = last.then(() => {
      waiting -= 1;
      return work();
    });
    last = mine.then(pause, pause);
    return mine;
  };
}
