import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { setTimeout, clearTimeout } from 'node:timers';
import { createCallLog, type CallLog } from './call-log';

type Begin = (name: string) => () => void;
type Lack = (method: string) => Error | null;

/** Observes every call that a test makes to its adapter. */
export interface Watch {
  /**
   * Makes a call. Timers run before the answer of the call is passed on, so that the time limit can end an
   * endless loop of calls.
   */
  call<T>(name: string, make: () => Promise<T> | T): Promise<T>;
  /**
   * The same repository with its calls observed. Answers of these calls are passed on without a pause. `lack` makes
   * the report for the call of a method that the repository lacks. It returns `null` for a name that is no
   * method of the port.
   */
  noted<T extends object>(name: string, repository: T, lack?: Lack): T;
  /** Runs code of the suite inside a call. Its errors are not the fault of the call. */
  inside<T>(work: () => Promise<T>): Promise<T>;
  /** Whether a call has failed with this error. */
  knows(error: unknown): boolean;
  /** The names of the calls that have no answer yet. */
  pending(): string[];
  /** How many calls have ended. */
  ended(): number;
  /** For how many milliseconds the oldest call without an answer has waited. */
  waitingMs(): number;
  /** Ends the check with this report. A later report changes nothing. */
  report(error: Error): Error;
  /** Rejects with the report as soon as there is one. */
  readonly reported: Promise<never>;
  /** The methods that have ended last, and how; the newest first. */
  lastCalls(): string[];
  /** Refuses all later calls. This ends a check after its time limit. */
  stop(): void;
}

export function createWatch(): Watch {
  const log = createCallLog();
  const open = createOpenCalls();
  const reports = createReports();
  return {
    async call(name, make) {
      let end = (): void => undefined;
      try {
        end = open.begin(name);
        return log.answered(name, await log.started(name, make));
      } catch (error) {
        log.failed(name, 'rejected with', error);
        // A report has ended the check. Calls that were made at the same time must not reject after it,
        // because a runner would count that as a further failure.
        if (reports.isMade()) return await new Promise<never>(() => undefined);
        throw error;
      } finally {
        end();
        await nextTurn();
      }
    },
    noted: (name, repository, lack) => notedRepository(name, repository, { log, begin: open.begin, lack }),
    async inside(work) {
      try {
        return await work();
      } catch (error) {
        log.excuse(error);
        throw error;
      }
    },
    knows: log.knows,
    pending: open.names,
    ended: open.ended,
    waitingMs: open.waitingMs,
    report: reports.make,
    reported: reports.made,
    lastCalls: log.newest,
    stop: open.stop,
  };
}

/** Keeps the calls that have no answer yet, and counts the calls that have ended. */
function createOpenCalls() {
  const open = new Set<{ name: string; began: number }>();
  let ended = 0;
  let stopped = false;
  const begin: Begin = (name) => {
    if (stopped) throw new Error(`The check has ended before it called ${name}`);
    const call = { name, began: performance.now() };
    open.add(call);
    return () => {
      open.delete(call);
      ended += 1;
    };
  };
  return {
    begin,
    names: () => [...open].map(({ name }) => name),
    ended: () => ended,
    waitingMs: () => Math.max(0, ...[...open].map(({ began }) => performance.now() - began)),
    stop: () => void (stopped = true),
  };
}

/** Keeps the first report. It ends the check. */
function createReports() {
  let first: Error | null = null;
  let refuse: (error: Error) => void = () => undefined;
  const made = new Promise<never>((_resolve, reject) => {
    refuse = reject;
  });
  return {
    made,
    isMade: () => first !== null,
    make(error: Error): Error {
      first ??= error;
      refuse(first);
      return error;
    },
  };
}

interface Noting {
  log: CallLog;
  begin: Begin;
  lack: Lack | undefined;
}

/**
 * The repository with its calls observed. This is not a proxy of the repository itself, because a proxy cannot
 * replace the members of a frozen object.
 */
function notedRepository<T extends object>(name: string, repository: T, { log, begin, lack }: Noting): T {
  return new Proxy({} as T, {
    get(_target, property): unknown {
      const method: unknown = Reflect.get(repository, property);
      if (typeof method !== 'function') return lackOr(method, lack?.(String(property)) ?? null);
      return (...input: unknown[]): unknown => {
        const called = `${name}.${String(property)}`;
        const end = begin(called);
        const answer = log.started(called, (): unknown => Reflect.apply(method, repository, input));
        void Promise.resolve(answer)
          .then(
            (value) => log.answered(called, value),
            (error: unknown) => log.failed(called, 'rejected with', error),
          )
          .then(end);
        return answer;
      };
    },
  });
}

/** The member, or for a missing method a function that throws the report `lacked` when a test calls it. */
function lackOr(member: unknown, lacked: Error | null): unknown {
  if (lacked === null) return member;
  return () => {
    throw lacked;
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
