/** Turns a thrown value into the error body that the caller sees (docs/specification.md "Errors"). */
import type { Request, Response } from 'express';
import {
  ERROR_TABLE,
  PredictionMarketError,
  isPredictionMarketError,
  type ErrorCode,
} from '../domain/errors';
import type { Logger } from '../ports/logger';
import { refusalView } from '../views/refusal';
import { THROTTLED_MESSAGE } from './admission/admission';
import { sendJson } from './send';

/**
 * - `auth`: `{ success: false, error, code }`
 * - `public`: the form of all other groups
 */
export type ErrorForm = 'auth' | 'public';

/**
 * For these codes the caller gets a fixed message, because the original message may come from an adapter or a
 * driver.
 */
const FIXED_MESSAGES: Partial<Record<ErrorCode, string>> = {
  INTERNAL_ERROR: 'Internal error. Try again later.',
  SERVICE_UNAVAILABLE: 'The service is temporarily unavailable. Try again later.',
};
const DEFAULT_RETRY_SECONDS = 1;

export function sendError(
  request: Request,
  response: Response,
  thrown: unknown,
  form: ErrorForm,
  logger: Logger,
): void {
  const error = toPublicError(thrown);
  const status = ERROR_TABLE[error.code].status;
  if (status >= 500) logFailure(request, thrown, error.code, status, logger);
  if (response.headersSent) return;
  if (status === 503 || status === 429) {
    response.setHeader('Retry-After', error.retryAfterSeconds ?? DEFAULT_RETRY_SECONDS);
  }
  sendJson(response, status, form === 'auth' ? authBody(error) : publicBody(error));
}

/**
 * The error that the caller sees. A refusal stays as it is, a path that Express cannot decode becomes a 400,
 * and everything else becomes a 500.
 */
export function toPublicError(thrown: unknown): PredictionMarketError {
  if (isPredictionMarketError(thrown)) return thrown;
  return (
    pathError(thrown) ?? new PredictionMarketError('INTERNAL_ERROR', 'Internal error.', { cause: thrown })
  );
}

/** The refusal of a path that does not decode. Express reports it as an error with status 400. */
function pathError(thrown: unknown): PredictionMarketError | null {
  if (!(thrown instanceof Error) || !('status' in thrown) || thrown.status !== 400) return null;
  const message = 'The path is not correctly percent-encoded';
  return new PredictionMarketError('VALIDATION_ERROR', message, { errors: [{ field: 'path', message }] });
}

function messageOf(error: PredictionMarketError): string {
  return FIXED_MESSAGES[error.code] ?? error.message;
}

function authBody(error: PredictionMarketError): object {
  return { success: false, error: messageOf(error), code: error.code };
}

function publicBody(error: PredictionMarketError): object {
  const body = refusalView(error, messageOf(error));
  if (error.code !== 'RATE_LIMIT_EXCEEDED') return body;
  // The field `error` holds the code for an exhausted quota, and the message for the throttle
  // (docs/specification.md "Rate limits").
  const text = body.message === THROTTLED_MESSAGE ? body.message : error.code;
  return { ...body, error: text, retryAfter: error.retryAfterSeconds ?? DEFAULT_RETRY_SECONDS };
}

/**
 * Logs a failure of the service. A 500 is a defect and is logged with its stack. A 503 is expected while a
 * dependency is away, so its log line has only the message and the message of its cause.
 */
function logFailure(request: Request, thrown: unknown, code: string, status: number, logger: Logger): void {
  // The log has the path without the query, because a query may hold private values.
  const path = (request.originalUrl ?? request.url).split('?', 1)[0];
  const facts = { code, status, method: request.method, path };
  if (status !== 503) {
    logger.error({ err: thrown, ...facts }, 'request failed');
    return;
  }
  const { message, cause } = thrown instanceof Error ? thrown : new Error(String(thrown));
  logger.warn({ ...facts, reason: message, ...causeOf(cause) }, 'request refused');
}

function causeOf(cause: unknown): { cause?: string } {
  return cause instanceof Error ? { cause: cause.message } : {};
}
