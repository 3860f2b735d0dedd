/**
 * A call of `expect` builds matchers and a stack trace, which is slow. So `expect` is called only to report a
 * failure.
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
