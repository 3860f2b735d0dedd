/** Counts wrong operators' tokens for each client address, as the service counts wrong API keys. */
import type { Request } from 'express';
import { ipKeyGenerator } from 'express-rate-limit';
import type { Clock, RateLimitBackend } from 'express-prediction-market';

const WINDOW_MS = 5 * 60_000;
/** One customer usually has a whole /56 of IPv6 addresses. */
const IPV6_PREFIX_BITS = 56;

export interface TokenThrottle {
  /**
   * The seconds for which requests of the address without the right token are refused. `null` if they are not. If they
   * are not, a wrong token is counted.
   */
  secondsRefused(request: Request, hasWrongToken: boolean): Promise<number | null>;
}

export function createTokenThrottle(backend: RateLimitBackend, limit: number, clock: Clock): TokenThrottle {
  const failures = backend.failures(WINDOW_MS);
  return {
    async secondsRefused(request, hasWrongToken) {
      const now = clock.now();
      const subject = `operators:${ipKeyGenerator(request.ip ?? 'unknown', IPV6_PREFIX_BITS)}`;
      const counted = await failures.count(subject, now);
      if (counted.failures >= limit) return Math.max(1, Math.ceil((counted.resetAt - now) / 1000));
      if (hasWrongToken) await failures.record(subject, now);
      return null;
    },
  };
}
