export interface BackOff {
  /** The pause after the first failure, in milliseconds. The pause doubles with each further failure. */
  firstMs: number;
  longestMs: number;
}

/**
 * The pause after `failures` failures in a row, with jitter of up to a tenth. `chance` is a random number
 * from 0 to below 1.
 */
export function backOffMs(failures: number, { firstMs, longestMs }: BackOff, chance: number): number {
  const doublings = Math.min(Math.max(failures - 1, 0), 40);
  return withJitter(Math.min(firstMs * 2 ** doublings, longestMs), chance);
}

/**
 * Makes a pause up to a tenth shorter or longer, so that tasks that failed at the same moment are not retried
 * at the same moment.
 */
export function withJitter(milliseconds: number, chance: number): number {
  return Math.round(milliseconds * (0.9 + 0.2 * chance));
}
