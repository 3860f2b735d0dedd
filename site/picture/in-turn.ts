/** Work that takes much of the processor, one piece after the other with pauses, so that a crowd cannot take it all. */
export class TooManyWait extends Error {}

export function inTurn(
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
