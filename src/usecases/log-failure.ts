import { isPredictionMarketError } from '../domain/errors';
import type { Logger } from '../ports/logger';

/**
 * Logs that work in the background has failed. SERVICE_UNAVAILABLE is expected at times, and is logged as a
 * warning without a stack. Any other error is logged as an error.
 */
export function logFailure(logger: Logger, error: unknown, fields: object, message: string): void {
  if (!isPredictionMarketError(error) || error.code !== 'SERVICE_UNAVAILABLE') {
    logger.error({ err: error, ...fields }, message);
    return;
  }
  const { cause } = error;
  logger.warn(
    { ...fields, reason: error.message, ...(cause instanceof Error && { cause: cause.message }) },
    message,
  );
}
