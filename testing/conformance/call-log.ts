import { cameOf } from './members';

/** How the calls of a check have ended. */
export interface CallLog {
  /** Makes the call. A call that throws at once is told from one that rejects. */
  started<T>(name: string, make: () => T): T;
  /** Notes the answer, and returns it. */
  answered<T>(name: string, answer: T): T;
  /** An error that passes through several calls, such as those of a transaction, belongs to the innermost. */
  failed(name: string, how: string, error: unknown): void;
  /** The error belongs to no call. */
  excuse(error: unknown): void;
  /** The calls that have ended last, and how; the newest first. */
  newest(): string[];
}

const SHOWN_CALLS = 3;

export function createCallLog(): CallLog {
  const known = new WeakSet<object>();
  const ends = new Map<string, { how: string; value: unknown }>();

  /** The port has a bounded number of names, and the newest is kept at the end. */
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
    newest: () =>
      [...ends]
        .slice(-SHOWN_CALLS)
        .reverse()
        .map(([name, { how, value }]) => `\`${name}\` ${how} ${cameOf(value)}`),
  };
}
