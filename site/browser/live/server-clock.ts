/**
 * Estimates the server's time from the headers of its answers, because the clock of a browser may be far off. Between
 * answers, the time is counted by a monotonic clock.
 */
export interface ServerClock {
  /** `sentAt` and `arrivedAt` are readings of the monotonic clock around the request, in milliseconds. */
  heard(headers: Pick<Headers, 'get'>, sentAt: number, arrivedAt: number): void;
  /** In milliseconds since 1970; null before an answer has told the time. */
  now(): number | null;
}

export function createServerClock(monotonic: () => number): ServerClock {
  /** The server's time when the monotonic clock shows 0. */
  let zero: number | null = null;
  return {
    heard(headers, sentAt, arrivedAt) {
      // A cache on the way may have kept the answer for some seconds.
      const told = Date.parse(headers.get('date') ?? '') + Number(headers.get('age') ?? 0) * 1000;
      if (!Number.isFinite(told)) return;
      // The header has whole seconds, and the server has written it while the request was under way.
      const earliest = told - arrivedAt;
      const latest = told + 1000 - sentAt;
      // A clock that fits the answer stays unchanged, so that countdowns do not jump.
      if (zero === null || zero < earliest || zero > latest) zero = (earliest + latest) / 2;
    },
    now: () => (zero === null ? null : zero + monotonic()),
  };
}
