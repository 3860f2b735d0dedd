/** Stored instants that a wrong clock may have written. */

/**
 * Whether `until` is still ahead. No right clock sets it further ahead than `longestMs`. If it lies further
 * ahead, a wrong clock has written it, and it counts as over. Otherwise it would last until that clock's
 * time comes.
 */
export function isAhead(until: number, now: number, longestMs: number): boolean {
  return until > now && until - now <= longestMs;
}
