const FIRST_MS = 1_000;
const LONGEST_MS = 30_000;

/**
 * The wait before the next attempt, in milliseconds. It is random, so that after a restart of the server the clients
 * do not all connect at once.
 */
export function backOff(failures: number, random: number): number {
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures, 10)) * (0.5 + random / 2);
}
