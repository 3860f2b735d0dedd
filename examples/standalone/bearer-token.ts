/** Makes a middleware that requires a bearer token, for the operators' routes and for the metrics. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import type { TokenThrottle } from './token-throttle';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

export const newAdminToken = (): string => randomBytes(24).toString('base64url');

export interface BearerOptions {
  /** The name of the token in messages. */
  name?: string;
  realm?: string;
  /** Refuses an address with 429 after too many wrong tokens. Without it no address is refused. */
  throttle?: TokenThrottle;
}

/**
 * Lets a request in if it carries the token. The digests of both tokens are compared in constant time; digests
 * have the same length for every token.
 */
export function requireBearerToken(token: string, options: BearerOptions = {}): RequestHandler {
  const expected = digest(token);
  return (request, response, next) => {
    const sent = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (sent !== undefined && timingSafeEqual(digest(sent), expected)) {
      next();
      return;
    }
    refuse(request, response, sent !== undefined, options).catch(next);
  };
}

const THROTTLED = 'Too many failed authentication attempts. Try again later.';

async function refuse(
  request: Request,
  response: Response,
  hasWrongToken: boolean,
  { name = 'admin', realm = 'operators', throttle }: BearerOptions,
): Promise<void> {
  const retryAfter = (await throttle?.secondsRefused(request, hasWrongToken)) ?? null;
  response.set('Cache-Control', 'no-store');
  if (retryAfter !== null) {
    const body = { error: THROTTLED, code: 'RATE_LIMIT_EXCEEDED', message: THROTTLED, retryAfter };
    response.status(429).set('Retry-After', String(retryAfter)).json(body);
    return;
  }
  const message = hasWrongToken
    ? `The ${name} token is wrong.`
    : `The ${name} token is missing: send it as "Authorization: Bearer <token>".`;
  response
    .status(401)
    .set('WWW-Authenticate', `Bearer realm="${realm}"`)
    .json({ error: message, code: 'UNAUTHORIZED', message });
}
