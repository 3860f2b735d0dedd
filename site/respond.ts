/** Answers as values, and the code that sends them. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PredictionMarketError } from '../src/index';

export interface Answer {
  status: number;
  type: string;
  body: string | Buffer;
  cache: string;
  headers?: Record<string, string>;
  /** Headers of the host that are removed from this answer. */
  without?: readonly string[];
  /** A content security policy for hosts that have set none. */
  defaultPolicy?: string;
  /**
   * A content security policy that applies in addition to the policy of the host, or to the default policy.
   */
  policy?: string;
}

const POLICY = 'Content-Security-Policy';

export function sendJson(status: number, value: object): Answer {
  return {
    status,
    type: 'application/json; charset=utf-8',
    body: JSON.stringify(value),
    cache: 'no-store',
  };
}

export function send(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  const { defaultPolicy, policy } = answer;
  if (defaultPolicy !== undefined && !response.hasHeader(POLICY)) response.setHeader(POLICY, defaultPolicy);
  if (policy !== undefined) response.appendHeader(POLICY, policy);
  for (const name of answer.without ?? []) response.removeHeader(name);
  const isKnown = hasAlready(request, answer.headers?.ETag);
  response.writeHead(isKnown ? 304 : answer.status, {
    ...(!isKnown && { 'Content-Type': answer.type, 'Content-Length': Buffer.byteLength(answer.body) }),
    'Cache-Control': answer.cache,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'same-origin',
    ...answer.headers,
  });
  response.end(request.method === 'HEAD' || isKnown ? undefined : answer.body);
}

/** Whether the reader has this version of the answer from an earlier request. */
function hasAlready({ headers }: IncomingMessage, etag: string | undefined): boolean {
  if (etag === undefined) return false;
  const known = (headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return known.includes(etag) || known.includes('*');
}

/**
 * Recognises the service's refusals by the name of the error, because the site has no copy of the error
 * class.
 */
export function marketRefusal(
  error: unknown,
): Pick<PredictionMarketError, 'code' | 'status' | 'message' | 'errors' | 'retryAfterSeconds'> | null {
  return error instanceof Error && error.name === 'PredictionMarketError'
    ? (error as PredictionMarketError)
    : null;
}
