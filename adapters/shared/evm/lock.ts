/** Runs one task at a time, in the order of the calls. */
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
