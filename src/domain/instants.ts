/** Instants that a clock has written which may have been wrong. */

/**
 * Whether `until` is still ahead. An instant that lies further ahead than `longestMs`, the most that is ever given, was
 * written by a clock that was wrong then: it counts as over, or it would last until that clock's time comes.
 */
export function isAhead(until: number, now: number, longestMs: number): boolean {
  return until > now && until - now <= longestMs;
}
