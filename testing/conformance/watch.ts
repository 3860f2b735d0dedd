import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { setTimeout, clearTimeout } from 'node:timers';
import { cameOf } from './members';

/** Observes every call that a test makes to its adapter. */
export interface Watch {
  /**
   * Makes a call. Timers run before the answer of the call is passed on, so that the time limit can end an
   * endless loop of calls.
   */
  call<T>(name: string, make: () => Promise<T> | T): Promise<T>;
  /**
   * The same repository with its calls observed. Answers of these calls are passed on at once. `lack` makes the
   * report about a method that the repository lacks; `null` for what is no method of the port.
   */
  noted<T extends object>(name: string, repository: T, lack?: (method: string) => Error | null): T;
  /** Runs code of the suite inside a call. Its errors are not the fault of the call. */
  inside<T>(work: () => Promise<T>): Promise<T>;
  /** The names of the calls that have no answer yet. */
  pending(): string[];
  /** Ends the check with this report. A later report changes nothing. */
  report(error: Error): Error;
  /** Rejects with the report as soon as there is one. */
  readonly reported: Promise<never>;
  /** The methods that have ended last, and how; the newest first. */
  lastCalls(): string[];
  /** Refuses all later calls. This ends a check after its time limit. */
  stop(): void;
}

const SHOWN_CALLS = 3;

export function createWatch(): Watch {
  const open = new Set<{ name: string }>();
  const known = new WeakSet<object>();
  let stopped = false;
  let report: Error | null = null;
  let refuse: (error: Error) => void = () => undefined;
  const reported = new Promise<never>((_resolve, reject) => {
    refuse = reject;
  });
  const last = new Map<string, { how: string; value: unknown }>();

  function begin(name: string): () => void {
    if (stopped) throw new Error(`The check has ended before it called ${name}`);
    const call = { name };
    open.add(call);
    return () => void open.delete(call);
  }

  function answered<T>(name: string, answer: T): T {
    ended(name, 'answered', answer);
    return answer;
  }

  /** An error that passes through several calls, such as those of a transaction, belongs to the innermost. */
  function failed(name: string, how: string, value: unknown): void {
    if (isNew(value)) ended(name, how, value);
  }

  /** The port has a bounded number of names, and the newest is kept at the end. */
  function ended(name: string, how: string, value: unknown): void {
    last.delete(name);
    last.set(name, { how, value });
  }

  function isNew(error: unknown): boolean {
    if (typeof error !== 'object' || error === null) return true;
    if (known.has(error)) return false;
    known.add(error);
    return true;
  }

  /** Starts the call. A call that throws at once is told from one that rejects. */
  function started<T>(name: string, make: () => T): T {
    try {
      return make();
    } catch (error) {
      failed(name, 'threw, before it returned a promise,', error);
      throw error;
    }
  }

  return {
    async call(name, make) {
      let end = (): void => undefined;
      try {
        end = begin(name);
        const answer = started(name, make);
        return answered(name, await answer);
      } catch (error) {
        failed(name, 'rejected with', error);
        // The check has ended by its report. Calls that were made at once must not reject behind it: a runner
        // would count that as a failure of its own.
        if (report !== null) return await new Promise<never>(() => undefined);
        throw error;
      } finally {
        end();
        await nextTurn();
      }
    },
    noted<T extends object>(name: string, repository: T, lack?: (method: string) => Error | null): T {
      // This is not a proxy of the repository itself, because a proxy may not change the members of a frozen
      // object.
      return new Proxy({} as T, {
        get(_target, property): unknown {
          const method: unknown = Reflect.get(repository, property);
          if (typeof method !== 'function') {
            const lacked = lack?.(String(property)) ?? null;
            if (lacked === null) return method;
            return () => {
              throw lacked;
            };
          }
          return (...input: unknown[]): unknown => {
            const called = `${name}.${String(property)}`;
            const end = begin(called);
            const answer = started(called, (): unknown => Reflect.apply(method, repository, input));
            void Promise.resolve(answer)
              .then(
                (value) => answered(called, value),
                (error: unknown) => failed(called, 'rejected with', error),
              )
              .then(end);
            return answer;
          };
        },
      });
    },
    async inside(work) {
      try {
        return await work();
      } catch (error) {
        isNew(error);
        throw error;
      }
    },
    pending: () => [...open].map(({ name }) => name),
    report(error) {
      report ??= error;
      refuse(report);
      return error;
    },
    reported,
    lastCalls: () =>
      [...last]
        .slice(-SHOWN_CALLS)
        .reverse()
        .map(([name, { how, value }]) => `\`${name}\` ${how} ${cameOf(value)}`),
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
