/** The request quota of a caller: at most `limit` requests in any 60 seconds (docs/specification.md "Rate limits"). */
import type { Clock } from '../../ports/clock';
import type { RateLimitDecision, RollingWindow } from '../../ports/rate-limit';

export const QUOTA_WINDOW_MS = 60_000;

export interface QuotaFigures extends RateLimitDecision {
  /** The requests that the caller may make in 60 seconds. */
  limit: number;
}

export interface Quota {
  /** Counts the request if the limit allows the request. */
  count(subject: string, limit: number): Promise<QuotaFigures>;
  /** Counts no request. */
  peek(subject: string, limit: number): Promise<QuotaFigures>;
}

export function createQuota(window: RollingWindow, clock: Clock): Quota {
  return {
    count: async (subject, limit) => ({ ...(await window.hit(subject, limit, clock.now())), limit }),
    peek: async (subject, limit) => ({ ...(await window.peek(subject, limit, clock.now())), limit }),
  };
}
