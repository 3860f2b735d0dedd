import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { setTimeout, clearTimeout } from 'node:timers';

/** Observes every call that a test makes to its adapter. */
export interface Watch {
  /**
   * Makes a call. Timers run before the answer of the call is passed on, so that the time limit can end an
   * endless loop of calls.
   */
  call<T>(name: string, make: () => Promise<T> | T): Promise<T>;
  /** The same repository with its calls observed. Answers of these calls are passed on at once. */
  noted<T extends object>(name: string, repository: T): T;
  /** The names of the calls that have no answer yet. */
  pending(): string[];
  /** Refuses all later calls. This ends a check after its time limit. */
  stop(): void;
}

export function createWatch(): Watch {
  const open = new Set<{ name: string }>();
  let stopped = false;

  function begin(name: string): () => void {
    if (stopped) throw new Error(`The check has ended before it called ${name}`);
    const call = { name };
    open.add(call);
    return () => void open.delete(call);
  }

  return {
    async call(name, make) {
      const end = begin(name);
      try {
        return await make();
      } finally {
        end();
        await nextTurn();
      }
    },
    noted<T extends object>(name: string, repository: T): T {
      // This is not a proxy of the repository itself, because a proxy may not change the members of a frozen
      // object.
      return new Proxy({} as T, {
        get(_target, property): unknown {
          const method: unknown = Reflect.get(repository, property);
          if (typeof method !== 'function') return method;
          return (...input: unknown[]): unknown => {
            const end = begin(`${name}.${String(property)}`);
            const answer: unknown = Reflect.apply(method, repository, input);
            void Promise.resolve(answer).then(end, end);
            return answer;
          };
        },
      });
    },
    pending: () => [...open].map(({ name }) => name),
    stop() {
      stopped = true;
    },
  };
}

const BETWEEN_LOOKS_MS = 5;

/**
 * Repeats `look` until it returns true, because a database or a chain needs some time. `false` if that does not
 * happen in time.
 */
export async function comesTrue(look: () => Promise<boolean>, withinMs: number): Promise<boolean> {
  const end = performance.now() + withinMs;
  while (!(await look())) {
    if (performance.now() >= end) return false;
    await pause(BETWEEN_LOOKS_MS);
  }
  return true;
}

/** The result of the work. After the time limit it rejects with the error that `late` makes. */
export async function withinLimit<T>(work: Promise<T>, limitMs: number, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(late()), limitMs);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
