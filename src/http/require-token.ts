/** A guard for routes of the host, such as those of operators: lets a request in if it carries the right token. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { RequestHandler, Response } from 'express';
import { PredictionMarketError } from '../domain/errors';
import {
  aClock,
  checkOptions,
  implementing,
  integerBetween,
  mustBe,
  optional,
  printableText,
  type Checks,
} from '../domain/options';
import { systemClock, type Clock } from '../ports/clock';
import type { RateLimitBackend } from '../ports/rate-limit';
import {
  createAuthThrottle,
  DEFAULT_FAILED_AUTH_LIMIT,
  type AuthThrottle,
} from '../rate-limit/auth-throttle';
import { memoryRateLimit } from '../rate-limit/memory';
import { refusalBody, retryAfterSeconds } from '../views/refusal';
import { clientAddress } from './admission/client-address';
import { sendJson } from './send';

export interface RequireTokenOptions {
  /** The token: at least 16 printable ASCII characters without spaces. Make it with `openssl rand -hex 24`. */
  token: string;
  /**
   * How many wrong tokens a client address may send in 5 minutes before further wrong tokens get 429. Default: 20.
   */
  failedAuthLimit?: number | undefined;
  /**
   * Where wrong tokens are counted. Default: in the memory of this process. To share the counts between instances, give
   * the backend that you also give to `createPredictionMarket`, which starts it.
   */
  rateLimit?: RateLimitBackend | undefined;
  /** Default: the clock of the system. */
  clock?: Clock | undefined;
  /** The name of the token in messages. Default: `admin`. */
  name?: string | undefined;
  /** The realm of the header `WWW-Authenticate`. Each realm has its own counts. Default: `operators`. */
  realm?: string | undefined;
}

const SHORTEST_TOKEN = 16;

const isToken = (text: unknown): text is string =>
  typeof text === 'string' && text.length >= SHORTEST_TOKEN && /^[\x21-\x7e]+$/.test(text);

const CHECKS: Checks<RequireTokenOptions> = {
  token: mustBe(`at least ${SHORTEST_TOKEN} printable ASCII characters without spaces`, isToken, {
    secret: true,
  }),
  failedAuthLimit: optional(integerBetween(1, 1_000_000)),
  rateLimit: optional(
    implementing<RateLimitBackend>('a rate-limit backend, such as the one that redisRateLimit makes', [
      'failures',
    ]),
  ),
  clock: optional(aClock),
  name: optional(printableText(80)),
  realm: optional(
    mustBe(
      '1 to 80 letters, digits, - or _',
      (value) => typeof value === 'string' && /^[\w-]{1,80}$/.test(value),
    ),
  ),
};

/**
 * Makes a middleware that lets a request in if it carries the header `Authorization: Bearer <token>`. A request without
 * the token is answered with 401. After too many wrong tokens of a client address, its requests without the right token
 * are answered with 429 and `Retry-After` until the window of 5 minutes is over. The right token is always let in.
 *
 * Express finds the client address by its setting `trust proxy`. Behind a proxy, set it: see `parseTrustProxy`.
 */
export function requireToken(options: RequireTokenOptions): RequestHandler {
  checkOptions('requireToken', options, CHECKS);
  const { token, rateLimit = memoryRateLimit(), clock = systemClock } = options;
  const { name = 'admin', realm = 'operators', failedAuthLimit = DEFAULT_FAILED_AUTH_LIMIT } = options;
  const throttle = createAuthThrottle(rateLimit, failedAuthLimit, clock);
  const expected = digest(token);
  return (request, response, next) => {
    const sent = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    // Digests have the same length for every token, so they can be compared in constant time.
    if (sent !== undefined && timingSafeEqual(digest(sent), expected)) {
      next();
      return;
    }
    refusalOf(sent, `${realm}:${clientAddress(request)}`, { name, throttle })
      .then((refusal) => send(response, refusal, realm))
      .catch(next);
  };
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The refusal of a request without the right token. Counts a wrong token if the client is not throttled yet. */
async function refusalOf(
  sent: string | undefined,
  subject: string,
  { name, throttle }: { name: string; throttle: AuthThrottle },
): Promise<PredictionMarketError> {
  const throttled = await throttle.refusal(subject);
  if (throttled !== null) return throttled;
  if (sent === undefined)
    return unauthorized(`The ${name} token is missing: send it as "Authorization: Bearer <token>".`);
  await throttle.recordFailure(subject);
  return unauthorized(`The ${name} token is wrong.`);
}

const unauthorized = (message: string): PredictionMarketError =>
  new PredictionMarketError('UNAUTHORIZED', message);

function send(response: Response, refusal: PredictionMarketError, realm: string): void {
  if (refusal.status === 429) response.setHeader('Retry-After', retryAfterSeconds(refusal));
  else response.setHeader('WWW-Authenticate', `Bearer realm="${realm}"`);
  sendJson(response, refusal.status, refusalBody(refusal));
}
