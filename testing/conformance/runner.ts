export type { Contract } from './failure';

/**
 * The part of a test runner that a conformance suite uses. Jest and Vitest fit as they are. For node:test,
 * pass `expect: (actual) => ({ toEqual: (expected) => assert.deepStrictEqual(actual, expected) })`.
 */
export interface ConformanceRunner {
  describe(name: string, body: () => void): unknown;
  /**
   * `timeLimitMs` is for runners that have a time limit of their own, so that the suite's limit comes first.
   */
  it(name: string, body: () => Promise<void>, timeLimitMs?: number): unknown;
  /**
   * Only deep equality is needed. The suite compares a bigint such as `5n` as the text `5n`, because some
   * runners cannot print or serialize bigints.
   */
  expect(actual: unknown): { toEqual(expected: unknown): unknown };
}

/** The options of every conformance suite besides its adapter. */
export interface ConformanceOptions {
  /** The time limit in milliseconds of a check, of making the adapter and of destroying it. Default 20,000. */
  timeLimitMs?: number | undefined;
}

/**
 * The sentences that a test checks. A failure is reported with the first of these sentences, unless the test
 * names another.
 */
export type Cited<Key> = Key | readonly [Key, ...Key[]];
