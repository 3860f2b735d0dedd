import { cameOf } from './members';

/** How the calls of a check have ended. */
export interface CallLog {
  /** Makes the call. The log distinguishes a call that throws at once from a call that rejects. */
  started<T>(name: string, make: () => T): T;
  /** Notes the answer, and returns it. */
  answered<T>(name: string, answer: T): T;
  /**
   * Notes a failure. An error that passes through several calls, such as those of a transaction, is noted for
   * the innermost call only.
   */
  failed(name: string, how: string, error: unknown): void;
  /** Marks an error of the suite's own code, so that the log does not note it as the failure of a call. */
  excuse(error: unknown): void;
  /** Whether this error was noted or excused. */
  knows(error: unknown): boolean;
  /** How the last three calls with different names have ended, the newest first. */
  newest(): string[];
}

const SHOWN_CALLS = 3;

export function createCallLog(): CallLog {
  const known = new WeakSet<object>();
  const ends = new Map<string, { how: string; value: unknown }>();

  /** Keeps the newest call at the end. The map stays small, because a port has few names of calls. */
  function note(name: string, how: string, value: unknown): void {
    ends.delete(name);
    ends.set(name, { how, value });
  }

  function isNew(error: unknown): boolean {
    if (typeof error !== 'object' || error === null) return true;
    if (known.has(error)) return false;
    known.add(error);
    return true;
  }

  function failed(name: string, how: string, error: unknown): void {
    if (isNew(error)) note(name, how, error);
  }

  return {
    started(name, make) {
      try {
        return make();
      } catch (error) {
        failed(name, 'threw, before it returned a promise,', error);
        throw error;
      }
    },
    answered(name, answer) {
      note(name, 'answered', answer);
      return answer;
    },
    failed,
    excuse: (error) => void isNew(error),
    knows: (error) => typeof error === 'object' && error !== null && known.has(error),
    newest: () =>
      [...ends]
        .slice(-SHOWN_CALLS)
        .reverse()
        .map(([name, { how, value }]) => `\`${name}\` ${how} ${cameOf(value)}`),
  };
}
