import { awaitedTimers } from '../../../src/ports/timers';

/**
 * A pool of resources. Each resource is lent to one caller at a time, in the order of the calls. A pool of
 * one resource is a mutex.
 */
export interface FairPool<Resource> {
  use<T>(work: (resource: Resource) => Promise<T>): Promise<T>;
  /** Like `use`, but rejects with the given error and runs nothing if no resource is free in time. */
  useWithin<T>(
    patience: { ms: number; error: () => Error },
    work: (resource: Resource) => Promise<T>,
  ): Promise<T>;
  /** Refuses all callers that wait. Callers that have a resource may finish. */
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

  async function using<T>(acquired: Promise<Resource>, work: (resource: Resource) => Promise<T>): Promise<T> {
    const resource = await acquired;
    try {
      return await work(resource);
    } finally {
      release(resource);
    }
  }

  return {
    use: (work) => using(acquire(), work),
    useWithin({ ms, error }, work) {
      const acquired = acquire();
      // If no resource was free, `acquire` has just put this caller at the end of `waiting`. If a resource was
      // free, no caller waits, and `waiter` is undefined.
      const waiter = waiting.at(-1);
      const cancel = awaitedTimers.after(ms, () => {
        if (waiter === undefined || !waiting.includes(waiter)) return;
        waiting = waiting.filter((one) => one !== waiter);
        waiter.reject(error());
      });
      acquired.then(cancel, cancel);
      return using(acquired, work);
    },
    rejectWaiting(error) {
      const turnedAway = waiting;
      waiting = [];
      for (const waiter of turnedAway) waiter.reject(error);
    },
  };
}
