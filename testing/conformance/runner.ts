/**
 * What a conformance suite needs of a test runner. Jest and Vitest fit as they are; for node:test, pass
 * `expect: (actual) => ({ toEqual: (expected) => assert.deepStrictEqual(actual, expected) })`.
 */
export interface ConformanceRunner {
  describe(name: string, body: () => void): unknown;
  /** A runner with a time limit of its own takes the third argument, so that the suite's limit comes first. */
  it(name: string, body: () => Promise<void>, timeLimitMs?: number): unknown;
  /**
   * Only deep equality is asked for. Values are made plain before they are compared (a bigint `5n`
   * becomes the text `5n`), so that a runner that cannot print or serialize a bigint can report it.
   */
  expect(actual: unknown): { toEqual(expected: unknown): unknown };
}

/** What every conformance suite is told beside its adapter. */
export interface ConformanceOptions {
  /** How long a check may take, and how long making and destroying what it looks at may; milliseconds, default 20,000. */
  timeLimitMs?: number;
}

/** A port's promises, sentence by sentence, each under a name. */
export interface Contract<Key extends string> {
  /** Of the port: "Storage". */
  port: string;
  sentences: Readonly<Record<Key, string>>;
}

/** The sentences that a test holds an adapter to; what it sees is judged by the first one unless it names another. */
export type Cited<Key> = Key | readonly [Key, ...Key[]];
