/** A guard for routes of the host, such as those of operators: lets a request in if it carries the right token. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { PredictionMarketError } from '../domain/errors';
import {
  aClock,
  callback,
  checkOptions,
  implementing,
  integerBetween,
  isRecord,
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
import { aToken, namedTokens, nameOperator, type OperatorTokens } from './operator-tokens';
import { sendJson } from './send';

export interface RequireTokenOptions {
  /**
   * A token: at least 16 printable ASCII characters without spaces. Make it with `openssl rand -hex 24`. Required
   * without `tokens`.
   */
  token?: string | undefined;
  /**
   * The tokens of up to 100 operators, each under the name of its operator: `{ alice: '…', bob: '…' }`. A request with
   * one of them stands under this name in the operators' log. The option `operatorName` of `createPredictionMarket`
   * replaces the name.
   */
  tokens?: OperatorTokens | undefined;
  /**
   * How many wrong tokens a client address may send in 5 minutes before further wrong tokens get 429. Default: 20.
   */
  failedAuthLimit?: number | undefined;
  /**
   * Where wrong tokens are counted. Default: in the memory of this process. To share the counts between instances, give
   * the backend that you also give to `createPredictionMarket`, which starts it.
   */
  rateLimit?: RateLimitBackend | undefined;
  /**
   * Called for each request with a wrong token, also while its address is refused with 429, before the request is
   * answered. It is not called for a missing token. If it throws or rejects, Express gets the error.
   */
  onWrongToken?: ((request: Request) => void | Promise<void>) | undefined;
  /** Default: the clock of the system. */
  clock?: Clock | undefined;
  /** The name of the token in messages. Default: `admin`. */
  name?: string | undefined;
  /** The realm of the header `WWW-Authenticate`. Each realm has its own counts. Default: `operators`. */
  realm?: string | undefined;
}

const CHECKS: Checks<RequireTokenOptions> = {
  token: optional(aToken),
  tokens: optional(namedTokens),
  failedAuthLimit: optional(integerBetween(1, 1_000_000)),
  rateLimit: optional(
    implementing<RateLimitBackend>('a rate-limit backend, such as the one that redisRateLimit makes', [
      'failures',
    ]),
  ),
  onWrongToken: optional(callback),
  clock: optional(aClock),
  name: optional(printableText(80)),
  realm: optional(
    mustBe(
      '1 to 80 letters, digits, - or _',
      (value) => typeof value === 'string' && /^[\w-]{1,80}$/.test(value),
    ),
  ),
};

/** A token that lets requests in. Its digest is kept, because `timingSafeEqual` compares only bytes of equal length. */
interface Accepted {
  /** `null`: the token has no name. */
  operator: string | null;
  digest: Buffer;
}

/**
 * Makes a middleware that lets a request in if it carries the header `Authorization: Bearer <token>`. A request without
 * a right token is answered with 401. After too many wrong tokens of a client address, its requests without a right token
 * are answered with 429 and `Retry-After` until the window of 5 minutes is over. A right token is always let in.
 *
 * Express finds the client address by its setting `trust proxy`. Behind a proxy, set it: see `parseTrustProxy`.
 */
export function requireToken(options: RequireTokenOptions): RequestHandler {
  const accepted = acceptedTokens(options);
  const { rateLimit = memoryRateLimit(), clock = systemClock, onWrongToken } = options;
  const { name = 'admin', realm = 'operators', failedAuthLimit = DEFAULT_FAILED_AUTH_LIMIT } = options;
  const throttle = createAuthThrottle(rateLimit, failedAuthLimit, clock);
  return (request, response, next) => {
    const sent = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    const found = sent === undefined ? undefined : foundIn(accepted, sent);
    if (found !== undefined) {
      if (found.operator !== null) nameOperator(request, found.operator);
      next();
      return;
    }
    refusalOf(sent, `${realm}:${clientAddress(request)}`, { name, throttle })
      .then(async (refusal) => {
        if (sent !== undefined) await onWrongToken?.(request);
        send(response, refusal, realm);
      })
      .catch(next);
  };
}

function acceptedTokens(options: RequireTokenOptions): Accepted[] {
  const hasNames = isRecord(options) && options['tokens'] !== undefined;
  checkOptions('requireToken', options, hasNames ? CHECKS : { ...CHECKS, token: aToken });
  const { token, tokens = {} } = options;
  const named = Object.entries(tokens);
  if (named.some(([, other]) => other === token))
    throw new TypeError('requireToken: token and tokens must differ');
  return [
    ...(token === undefined ? [] : [{ operator: null, digest: digest(token) }]),
    ...named.map(([operator, text]) => ({ operator, digest: digest(text) })),
  ];
}

/** Compares all tokens, each in constant time, so that the time of an answer does not tell how near a guess was. */
function foundIn(accepted: readonly Accepted[], sent: string): Accepted | undefined {
  const given = digest(sent);
  return accepted.filter((each) => timingSafeEqual(given, each.digest))[0];
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
