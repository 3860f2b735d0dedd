/**
 * Lets a request in or refuses it (docs/specification.md "Rate limits" and "Failed authentications"). The checks are,
 * in this order: the key, if the request carries one; the throttle of failed authentications, if there is no valid
 * key; the quota; and 401, if the route needs a key and there is no valid key.
 */
import type { Request, Response } from 'express';
import type { ApiKey, Scope } from '../../domain/types';
import { PredictionMarketError, serviceUnavailable, UNAUTHORIZED_MESSAGE } from '../../domain/errors';
import type { Clock } from '../../ports/clock';
import type { RateLimitBackend } from '../../ports/rate-limit';
import { tooManyRequests, type AuthThrottle } from '../../rate-limit/auth-throttle';
import type { KeyAuthenticator } from '../../usecases/keys/key-authenticator';
import { clientAddress } from './client-address';
import { createQuota, QUOTA_WINDOW_MS, type Quota, type QuotaFigures } from './quota';

export interface AdmissionDependencies {
  keys: KeyAuthenticator;
  rateLimit: RateLimitBackend;
  throttle: AuthThrottle;
  clock: Clock;
  /** The requests that an address without a key may make in a minute. */
  addressRateLimit: number;
  isStarted(): boolean;
}

export interface AdmittedCaller {
  /** The valid key that the request carries. `null` if it carries no valid key. */
  key: ApiKey | null;
  /** The quota after this request. `null` if the request is not counted. */
  figures: QuotaFigures | null;
}

export interface Admission {
  /** Sets the rate-limit headers. Rejects with UNAUTHORIZED, RATE_LIMIT_EXCEEDED or SERVICE_UNAVAILABLE. */
  admit(request: Request, response: Response, keyRequired: boolean): Promise<AdmittedCaller>;
  /**
   * The valid key that the request carries, or `null`. This is for requests that are not counted. Rejects
   * with UNAUTHORIZED for a wrong key, with RATE_LIMIT_EXCEEDED after too many failed authentications of the
   * address, and with SERVICE_UNAVAILABLE.
   */
  recognize(request: Request): Promise<ApiKey | null>;
  recordFailure(request: Request): Promise<void>;
}

export function createAdmission(dependencies: AdmissionDependencies): Admission {
  const { keys, throttle, clock, addressRateLimit, isStarted } = dependencies;
  const quota = createQuota(dependencies.rateLimit.window(QUOTA_WINDOW_MS), clock);

  async function authenticate(request: Request, response: Response): Promise<ApiKey | null> {
    const raw = presentedKey(request);
    try {
      if (!isStarted()) throw notStarted();
      return raw === null ? null : await keys.authenticate(raw);
    } catch (error) {
      // The service has not started or could not look the key up. The request is not counted for any key or address.
      await showAddressQuota(quota, request, response, addressRateLimit);
      throw error;
    }
  }

  async function refuseThrottled(request: Request, response: Response): Promise<void> {
    const refusal = await throttle.refusal(clientAddress(request));
    if (refusal === null) return;
    const figures = await showAddressQuota(quota, request, response, addressRateLimit);
    if (!figures.allowed) throw quotaExceeded(figures, clock.now());
    throw refusal;
  }

  async function admit(request: Request, response: Response, keyRequired: boolean): Promise<AdmittedCaller> {
    const key = await authenticate(request, response);
    if (key === null) await refuseThrottled(request, response);
    const figures =
      key === null
        ? await quota.count(addressSubject(request), addressRateLimit)
        : await quota.count(keySubject(key), key.rateLimit);
    setQuotaHeaders(response, figures);
    if (!figures.allowed) throw quotaExceeded(figures, clock.now());
    if (key === null && keyRequired) {
      if (presentedKey(request) !== null) await recordFailure(request);
      throw unauthorized();
    }
    return { key, figures };
  }

  async function recognize(request: Request): Promise<ApiKey | null> {
    if (!isStarted()) throw notStarted();
    const raw = presentedKey(request);
    const key = raw === null ? null : await keys.authenticate(raw);
    if (key !== null) return key;
    const throttled = await throttle.refusal(clientAddress(request));
    if (throttled !== null) throw throttled;
    if (raw === null) return null;
    await recordFailure(request);
    throw unauthorized();
  }

  async function recordFailure(request: Request): Promise<void> {
    await throttle.recordFailure(clientAddress(request));
  }

  return { admit, recognize, recordFailure };
}

function notStarted(): PredictionMarketError {
  return serviceUnavailable('The service has not started.');
}

function unauthorized(): PredictionMarketError {
  return new PredictionMarketError('UNAUTHORIZED', UNAUTHORIZED_MESSAGE);
}

export function requireScope(key: ApiKey, scope: Scope): void {
  if (key.scopes.includes(scope)) return;
  throw new PredictionMarketError('INSUFFICIENT_SCOPE', `This API key lacks required scope: ${scope}`);
}

/** The key in the request's header. An empty header counts as no key. */
function presentedKey(request: Request): string | null {
  const raw = request.headers['x-api-key'];
  return typeof raw === 'string' && raw !== '' ? raw : null;
}

/**
 * The name under which requests of the key are counted. A regenerated key is counted under the name of the
 * first key of its chain, so that regenerating a key gives no new quota.
 */
function keySubject({ id, windowOf }: ApiKey): string {
  return `key:${String(windowOf ?? id)}`;
}

function addressSubject(request: Request): string {
  return `address:${clientAddress(request)}`;
}

async function showAddressQuota(
  quota: Quota,
  request: Request,
  response: Response,
  limit: number,
): Promise<QuotaFigures> {
  const figures = await quota.peek(addressSubject(request), limit);
  setQuotaHeaders(response, figures);
  return figures;
}

function setQuotaHeaders(response: Response, figures: QuotaFigures): void {
  response.setHeader('X-RateLimit-Limit', figures.limit);
  response.setHeader('X-RateLimit-Remaining', figures.remaining);
  response.setHeader('X-RateLimit-Reset', Math.ceil(figures.resetAt / 1000));
}

function quotaExceeded(figures: QuotaFigures, now: number): PredictionMarketError {
  const message = `Rate limit exceeded. Max ${String(figures.limit)} requests per minute.`;
  return tooManyRequests(message, figures.resetAt, now);
}
