/** Reporting a check as skipped, where the test runner allows it while the check runs. */

interface Skippable {
  skip(note: string): unknown;
}

/**
 * Tells the runner that nothing was checked. Vitest and node:test give each test a context with `skip`: Vitest a
 * function, node:test an object. Jest gives none, so there the check counts as passed.
 */
export function skipIfPossible(given: readonly unknown[], absent: readonly string[]): void {
  const context = given.find(canSkip);
  context?.skip(`declared absent: ${[...new Set(absent)].join(', ')}`);
}

function canSkip(value: unknown): value is Skippable {
  if (typeof value !== 'function' && (typeof value !== 'object' || value === null)) return false;
  return typeof Reflect.get(value, 'skip') === 'function';
}
