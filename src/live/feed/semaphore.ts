/** Runs a limited number of tasks at a time. The other tasks wait in order. */
export interface Semaphore {
  run<T>(task: () => Promise<T>): Promise<T>;
}

export function createSemaphore(most: number): Semaphore {
  let free = most;
  const waiting: (() => void)[] = [];
  return {
    async run(task) {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await task();
      } finally {
        const next = waiting.shift();
        if (next === undefined) free += 1;
        else next();
      }
    },
  };
}
