/** Resources that one piece of work uses at a time, given out in the order of asking. With one resource: a mutex. */
export interface FairPool<Resource> {
  use<T>(work: (resource: Resource) => Promise<T>): Promise<T>;
  /** Turns away everybody who waits; those who hold a resource go on. */
  rejectWaiting(error: Error): void;
}

interface Waiter<Resource> {
  resolve(resource: Resource): void;
  reject(error: Error): void;
}

export function fairPool<Resource>(resources: readonly Resource[]): FairPool<Resource> {
  const free = [...resources];
  let waiting: Waiter<Resource>[] = [];

  function acquire(): Promise<Resource> {
    const resource = free.pop();
    if (resource !== undefined) return Promise.resolve(resource);
    return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
  }

  function release(resource: Resource): void {
    const next = waiting.shift();
    if (next === undefined) free.push(resource);
    else next.resolve(resource);
  }

  return {
    async use(work) {
      const resource = await acquire();
      try {
        return await work(resource);
      } finally {
        release(resource);
      }
    },
    rejectWaiting(error) {
      const turnedAway = waiting;
      waiting = [];
      for (const waiter of turnedAway) waiter.reject(error);
    },
  };
}
