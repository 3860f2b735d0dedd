/** One at a time, in the order of asking. */
export interface Lock {
  run<T>(work: () => Promise<T>): Promise<T>;
}

export function createLock(): Lock {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(work) {
      const next = last.then(work, work);
      last = next.catch(() => undefined);
      return next;
    },
  };
}
