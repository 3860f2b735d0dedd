/** Judges stored instants, which a wrong clock may have written. */

/**
 * Whether `until` is still ahead. No right clock writes an instant further ahead than `longestMs`. An instant
 * further ahead was written by a wrong clock, and counts as over. Otherwise the instant would count as ahead
 * until the right clock reaches it.
 */
export function isAhead(until: number, now: number, longestMs: number): boolean {
  return until > now && until - now <= longestMs;
}
