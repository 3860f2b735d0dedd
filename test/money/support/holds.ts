/**
 * Comparisons that cost nothing while they hold. `expect` builds all its matchers and a stack trace at each call, which
 * took a quarter of the suite's time; it is asked here only for the message of a failure.
 */
export function same(found: unknown, expected: unknown): void {
  if (!Object.is(found, expected)) expect(found).toBe(expected);
}

export function atLeast<T extends number | bigint>(found: T, least: T): void {
  if (!(found >= least)) expect(found).toBeGreaterThanOrEqual(least);
}

export function atMost<T extends number | bigint>(found: T, most: T): void {
  if (!(found <= most)) expect(found).toBeLessThanOrEqual(most);
}
