/** Counts failed authentications of a client address (docs/specification.md "Failed authentications"). */
import { PredictionMarketError, THROTTLED_MESSAGE } from '../domain/errors';
import type { Clock } from '../ports/clock';
import type { RateLimitBackend } from '../ports/rate-limit';

/** How many authentications of a client address may fail in a window, by default. */
export const DEFAULT_FAILED_AUTH_LIMIT = 20;
const FAILURES_WINDOW_MS = 5 * 60_000;

export interface AuthThrottle {
  /**
   * The refusal of requests that the client address sends without a valid API key or operator's token. `null` when
   * the address is not throttled.
   */
  refusal(address: string): Promise<PredictionMarketError | null>;
  recordFailure(address: string): Promise<void>;
}

export function createAuthThrottle(rateLimit: RateLimitBackend, limit: number, clock: Clock): AuthThrottle {
  const failures = rateLimit.failures(FAILURES_WINDOW_MS);
  return {
    async refusal(address) {
      const counted = await failures.count(address, clock.now());
      return counted.failures >= limit
        ? tooManyRequests(THROTTLED_MESSAGE, counted.resetAt, clock.now())
        : null;
    },
    async recordFailure(address) {
      await failures.record(address, clock.now());
    },
  };
}

export function tooManyRequests(message: string, endsAt: number, now: number): PredictionMarketError {
  const retryAfterSeconds = Math.max(1, Math.ceil((endsAt - now) / 1000));
  return new PredictionMarketError('RATE_LIMIT_EXCEEDED', message, { retryAfterSeconds });
}
