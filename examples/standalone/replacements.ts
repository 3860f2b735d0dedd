/** Decides when a worker that has ended is replaced, and when the server gives up. */

const WINDOW_MS = 60_000;
const FIRST_PAUSE_MS = 100;
/** The most workers that are replaced within a minute. */
export const REPLACED_PER_MINUTE = 5;

/**
 * Makes a function that the server calls when a worker has ended. The function returns the pause in milliseconds
 * before the server replaces the worker. The pause doubles with each worker that has ended in the last minute.
 * `null`: too many workers have ended in the last minute.
 */
export function createReplacements(now: () => number): () => number | null {
  let ends: number[] = [];
  return () => {
    const at = now();
    ends = [...ends.filter((end) => at - end < WINDOW_MS), at];
    return ends.length > REPLACED_PER_MINUTE ? null : FIRST_PAUSE_MS * 2 ** (ends.length - 1);
  };
}
