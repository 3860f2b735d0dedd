import type { ConformanceRunner } from './types';

/** What the tests ask of a value. `label` names the value in the report of a failure. */
export interface Check {
  equal(actual: unknown, expected: unknown, label?: string): void;
  /** Waits for the refusal and returns it; a promise that resolves fails the test. */
  rejects(promise: Promise<unknown>, label?: string): Promise<unknown>;
  /** As `rejects`, and the refusal has this `code`. */
  rejectsWithCode(promise: Promise<unknown>, code: string, label?: string): Promise<void>;
}

export function createCheck(expect: ConformanceRunner['expect']): Check {
  const check: Check = {
    equal(actual, expected, label = 'value') {
      expect({ [label]: plain(actual) }).toEqual({ [label]: plain(expected) });
    },
    async rejects(promise, label = 'promise') {
      const outcome = await promise.then(
        () => ({ how: 'resolved', error: undefined as unknown }),
        (error: unknown) => ({ how: 'rejected', error }),
      );
      check.equal(outcome.how, 'rejected', label);
      return outcome.error;
    },
    async rejectsWithCode(promise, code, label = 'code of the refusal') {
      const error = await check.rejects(promise, label);
      const found =
        typeof error === 'object' && error !== null && 'code' in error ? error.code : String(error);
      check.equal(found, code, label);
    },
  };
  return check;
}

/** Bigints and `undefined` as text: some runners can neither print the one nor tell the other from a missing field. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`;
  if (value === undefined) return '(undefined)';
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, plain(field)]));
}
