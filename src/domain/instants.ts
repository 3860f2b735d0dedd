/**
 * Whether `until` is in the future. An instant more than `longestMs` ahead counts as past, because only a
 * wrong clock can have written it. Otherwise it would count as future until the right clock reaches it.
 */
export function isAhead(until: number, now: number, longestMs: number): boolean {
  return until > now && until - now <= longestMs;
}
