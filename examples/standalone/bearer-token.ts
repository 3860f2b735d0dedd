/** Makes a middleware that requires a bearer token, for the operators' routes and for the metrics. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { RequestHandler } from 'express';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

export const newAdminToken = (): string => randomBytes(24).toString('base64url');

/**
 * Lets a request in if it carries the token. The digests of both tokens are compared in constant time; digests
 * have the same length for every token.
 */
export function requireBearerToken(
  token: string,
  { name = 'admin', realm = 'operators' } = {},
): RequestHandler {
  const expected = digest(token);
  return (request, response, next) => {
    const sent = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (sent !== undefined && timingSafeEqual(digest(sent), expected)) {
      next();
      return;
    }
    const message =
      sent === undefined
        ? `The ${name} token is missing: send it as "Authorization: Bearer <token>".`
        : `The ${name} token is wrong.`;
    response
      .status(401)
      .set({ 'WWW-Authenticate': `Bearer realm="${realm}"`, 'Cache-Control': 'no-store' })
      .json({ error: message, code: 'UNAUTHORIZED', message });
  };
}
