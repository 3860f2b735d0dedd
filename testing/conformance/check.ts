import { ContractBroken, ContractNotChecked, insteadOf, plain, told, type Contract } from './failure';
import type { ConformanceRunner } from './runner';

/** The assertions of the tests. `label` says in the report of a failure what the test has checked. */
export interface Check<Key extends string = string> {
  equal(actual: unknown, expected: unknown, label?: string): void;
  /** The value has to be one of the allowed values. */
  oneOf(actual: unknown, allowed: readonly unknown[], label?: string): void;
  /** `broken` says in words what is wrong when the condition is false. */
  holds(condition: boolean, broken: string, cure?: string): void;
  /** Waits for the rejection and returns it. A promise that resolves fails the test. */
  rejects(promise: Promise<unknown>, label?: string): Promise<unknown>;
  /** Waits for the rejection. A promise that resolves, or rejects with another `code`, fails the test. */
  rejectsWithCode(promise: Promise<unknown>, code: string, label?: string): Promise<void>;
  /** Fails the test, because the observed behaviour breaks the sentence. `cure`: what mends this fault. */
  fail(seen: string, cure?: string): never;
  /**
   * Fails the test, because the suite cannot check the sentence. `advice` tells the author what to change.
   */
  notChecked(advice: string): never;
  /** The same assertions, for another sentence of the contract. */
  by(key: Key): Check<Key>;
  /**
   * Whether the adapter's author has provided a hook. `false` if the author has declared the hook absent. A
   * hook that is neither provided nor declared absent fails the test.
   */
  given<Hook>(name: string, hook: Hook | false | undefined, what: string, declaration?: string): hook is Hook;
}

/** The list that a hook gives; empty if it is absent. */
export function listOf<T>(hook: readonly T[] | false | undefined): readonly T[] {
  return hook === undefined || hook === false ? [] : hook;
}

export interface Tally {
  /** Whether the check has made an assertion. */
  looked: boolean;
  /** The hooks that the check needed and that the author has declared absent. */
  absent: string[];
}

/** Unknown names in what `create()` returned, each with the hook that is probably meant. */
export type Misspelt = ReadonlyMap<string, string>;

export const misspeltAs = (written: string, meant: string): string =>
  `\`create()\` returned \`${written}\`, which is no hook; did you mean \`${meant}\`?`;

export function createCheck<Key extends string>(
  expect: ConformanceRunner['expect'],
  contract: Contract<Key>,
  key: Key,
  tally: Tally = { looked: false, absent: [] },
  misspelt: Misspelt = new Map(),
): Check<Key> {
  const sentence = contract.sentences[key];
  const broken = (seen: string, cure?: string, cause?: unknown): Error =>
    new ContractBroken(contract, key, { seen, cure }, cause);
  const compare = (actual: unknown, expected: unknown, label: string, expectation: string): void => {
    tally.looked = true;
    try {
      expect({ [label]: plain(actual) }).toEqual({ [label]: plain(expected) });
    } catch (cause) {
      throw broken(insteadOf(`${label}: ${told(actual)}`, expectation), undefined, cause);
    }
  };
  const check: Check<Key> = {
    equal(actual, expected, label = 'value') {
      compare(actual, expected, label, told(expected));
    },
    oneOf(actual, allowed, label = 'value') {
      const found = allowed.some((one) => told(one) === told(actual));
      const words = allowed.map(told).join(' or ');
      compare(found ? 'allowed' : actual, found ? 'allowed' : words, label, words);
    },
    holds(condition, seen, cure) {
      tally.looked = true;
      if (!condition) check.fail(seen, cure);
    },
    async rejects(promise, label = 'promise') {
      tally.looked = true;
      const outcome = await promise.then(
        (value) => ({ how: 'resolved', value }),
        (value: unknown) => ({ how: 'rejected', value }),
      );
      if (outcome.how === 'resolved') {
        const result =
          outcome.value === undefined ? 'it fulfilled' : `it fulfilled with ${told(outcome.value)}`;
        check.fail(insteadOf(`${label}: ${result}`, 'a rejection'));
      }
      return outcome.value;
    },
    async rejectsWithCode(promise, code, label = 'code of the refusal') {
      const error = await check.rejects(promise, label);
      const found =
        typeof error === 'object' && error !== null && 'code' in error ? error.code : String(error);
      check.equal(found, code, label);
    },
    fail(seen, cure): never {
      throw broken(seen, cure);
    },
    notChecked(advice) {
      throw new ContractNotChecked(contract, sentence, advice);
    },
    by: (other) => createCheck(expect, contract, other, tally, misspelt),
    given<Hook>(
      name: string,
      hook: Hook | false | undefined,
      what: string,
      declaration = name,
    ): hook is Hook {
      if (hook === false) tally.absent.push(name);
      if (hook !== undefined) return hook !== false;
      const [written] = [...misspelt].find(([, meant]) => meant === name) ?? [];
      const hint = written === undefined ? '' : ` ${misspeltAs(written, name)}`;
      return check.notChecked(`Give \`${name}\` (${what}), or declare \`${declaration}: false\`.${hint}`);
    },
  };
  return check;
}
