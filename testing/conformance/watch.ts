import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { setTimeout, clearTimeout } from 'node:timers';

/** Sees every call that a test makes of its adapter. */
export interface Watch {
  /** Before the answer is handed on, timers have their turn: a loop over answers without any input or output ends with its time limit. */
  call<T>(name: string, make: () => Promise<T> | T): Promise<T>;
  /** The same repository, its calls noted; they hand their answers on at once. */
  noted<T extends object>(name: string, repository: T): T;
  /** Names of the calls that have not been answered. */
  pending(): string[];
  /** Refuses all later calls: a check whose time is over makes no more of them. */
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
      // Not a proxy of the repository itself: a frozen one must be shown as it is.
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

/** Looks until it is true; `false` when that has not come in time. The world outside of the adapter takes its time. */
export async function comesTrue(look: () => Promise<boolean>, withinMs: number): Promise<boolean> {
  const end = performance.now() + withinMs;
  while (!(await look())) {
    if (performance.now() >= end) return false;
    await pause(BETWEEN_LOOKS_MS);
  }
  return true;
}

/** The outcome of the work, or what `late` makes of its missing the limit. */
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
