/** When a worker that has ended is replaced, and when the server gives up. */

const WINDOW_MS = 60_000;
const FIRST_PAUSE_MS = 100;
/** So many ends within a minute are replaced. */
export const REPLACED_PER_MINUTE = 5;

/**
 * Notes the end of a worker. Returns the pause in milliseconds before it is replaced, which doubles with each end
 * of the last minute. `null`: too many workers have ended within a minute.
 */
export function createReplacements(now: () => number): () => number | null {
  let ends: number[] = [];
  return () => {
    const at = now();
    ends = [...ends.filter((end) => at - end < WINDOW_MS), at];
    return ends.length > REPLACED_PER_MINUTE ? null : FIRST_PAUSE_MS * 2 ** (ends.length - 1);
  };
}
