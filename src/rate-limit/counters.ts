/** The rolling windows of requests and the counts of failures, in the memory of this process. */
import { createExpiringMap, type ExpiringMap } from '../domain/expiring-map';
import { isAhead } from '../domain/instants';
import type { FailureCount, RateLimitDecision } from '../ports/rate-limit';
import { createSlidingLog, type SlidingLog } from './sliding-log';

export interface LocalWindow {
  /** Counts a request of `subject`, if the limit allows the request. */
  hit(subject: string, limit: number, now: number): RateLimitDecision;
  /** Whether a request is allowed now, and how many requests remain. Counts no request. */
  peek(subject: string, limit: number, now: number): RateLimitDecision;
}

export interface LocalFailures {
  count(subject: string, now: number): FailureCount;
  record(subject: string, now: number): void;
}

/**
 * A sliding log for each subject. The log keeps each counted request until the request leaves the window, so no
 * window contains more requests than the limit, wherever the window begins.
 */
export function createLocalWindow(windowMs: number): LocalWindow {
  const logs: ExpiringMap<string, SlidingLog> = createExpiringMap(windowMs);
  return {
    hit(subject, limit, now) {
      const log = logs.getOrCreate(subject, now, () => createSlidingLog(windowMs));
      const used = log.countAt(now);
      const allowed = used < limit;
      if (allowed) log.add(now);
      return decision(log, allowed, limit - used - 1, now);
    },
    peek(subject, limit, now) {
      const log = logs.get(subject, now);
      if (log === undefined) return { allowed: limit > 0, remaining: limit, resetAt: now };
      const used = log.countAt(now);
      return decision(log, used < limit, limit - used, now);
    },
  };
}

function decision(log: SlidingLog, allowed: boolean, remaining: number, now: number): RateLimitDecision {
  return { allowed, remaining: Math.max(0, remaining), resetAt: log.oldestLeavesAt() ?? now };
}

/**
 * Counts failures in a window that begins with the first failure of a subject. When the window ends, all
 * failures in it are forgotten.
 */
export function createLocalFailures(windowMs: number): LocalFailures {
  const counters: ExpiringMap<string, FailureCount> = createExpiringMap(windowMs);
  const live = (subject: string, now: number): FailureCount | undefined => {
    const counter = counters.get(subject, now);
    // If the clock was set back to long before the window, the window counts as over.
    return counter !== undefined && isAhead(counter.resetAt, now, 2 * windowMs) ? counter : undefined;
  };
  return {
    count: (subject, now) => live(subject, now) ?? { failures: 0, resetAt: now },
    record(subject, now) {
      const counter = live(subject, now);
      if (counter === undefined) counters.set(subject, now, { failures: 1, resetAt: now + windowMs });
      else counter.failures += 1;
    },
  };
}
