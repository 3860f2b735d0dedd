export type RunTask = <T>(task: () => Promise<T>) => Promise<T>;

/** Runs one task at a time, in the order of the calls. A failure rejects its own call only. */
export function oneAtATime(): RunTask {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const running = last.then(task);
    last = running.catch(() => undefined);
    return running;
  };
}
