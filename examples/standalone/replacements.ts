/** Decides when a worker that has ended is replaced, and when the server gives up. */

const WINDOW_MS = 60_000;
const FIRST_PAUSE_MS = 100;
/** The most workers that are replaced within a minute. */
export const REPLACED_PER_MINUTE = 5;

/**
 * Makes a function that is called at the end of each worker. It returns the pause in milliseconds before the
 * worker is replaced, which doubles with each end of the last minute. `null` when too many workers have ended
 * within a minute.
 */
export function createReplacements(now: () => number): () => number | null {
  let ends: number[] = [];
  return () => {
    const at = now();
    ends = [...ends.filter((end) => at - end < WINDOW_MS), at];
    return ends.length > REPLACED_PER_MINUTE ? null : FIRST_PAUSE_MS * 2 ** (ends.length - 1);
  };
}
