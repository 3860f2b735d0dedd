/** Turns a thrown value into the error body that the caller sees (docs/specification.md "Errors"). */
import type { Request, Response } from 'express';
import { ERROR_TABLE, isPredictionMarketError, PredictionMarketError } from '../domain/errors';
import type { Logger } from '../ports/logger';
import { asRefusal, refusalBody, refusalMessage, retryAfterSeconds } from '../views/refusal';
import { sendJson } from './send';

/**
 * - `auth`: `{ success: false, error, code }`
 * - `public`: the form of all other groups of routes
 */
export type ErrorForm = 'auth' | 'public';

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
  if (status === 503 || status === 429 || error.retryAfterSeconds !== undefined) {
    response.setHeader('Retry-After', retryAfterSeconds(error));
  }
  sendJson(response, status, form === 'auth' ? authBody(error) : refusalBody(error));
}

/**
 * The error that the caller sees. A refusal stays as it is, a path that Express cannot decode becomes a 400,
 * and everything else becomes a 500.
 */
export function toPublicError(thrown: unknown): PredictionMarketError {
  return isPredictionMarketError(thrown) ? thrown : (pathError(thrown) ?? asRefusal(thrown));
}

/** The refusal of a path that does not decode. Express reports it as an error with status 400. */
function pathError(thrown: unknown): PredictionMarketError | null {
  if (!(thrown instanceof Error) || !('status' in thrown) || thrown.status !== 400) return null;
  const message = 'The path is not correctly percent-encoded';
  return new PredictionMarketError('VALIDATION_ERROR', message, { errors: [{ field: 'path', message }] });
}

function authBody(error: PredictionMarketError): object {
  return { success: false, error: refusalMessage(error), code: error.code };
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
  // When a facilitator cannot settle a payment, the cause is the facilitator's reason, which is a text.
  if (typeof cause === 'string') return { cause };
  return cause instanceof Error ? { cause: cause.message } : {};
}
