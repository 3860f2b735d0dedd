import { isPredictionMarketApiError } from '../../src/client';

/** The text for the reader: the words of the service if it gave some, otherwise words of the page. */
export function messageOf(error: unknown): string {
  if (!isPredictionMarketApiError(error)) return error instanceof Error ? error.message : String(error);
  const { message, error: reason } = (error.details ?? {}) as { message?: unknown; error?: unknown };
  if (error.errors.length > 0) return error.errors.map((each) => each.message).join('. ');
  if (typeof message === 'string') return message;
  // The routes below `/auth` give the reason in the field `error`.
  if (typeof reason === 'string') return reason;
  if (error.code === 'NETWORK_ERROR' || error.code === 'TIMEOUT')
    return 'The server cannot be reached. Look at your connection, then try again.';
  if (error.code === 'UNEXPECTED_ANSWER' && error.status === 404)
    return 'There is no API at the address that this page asks. Tell the operator.';
  return 'The server gave an answer that this page does not understand. Load the page again.';
}
