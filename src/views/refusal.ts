import {
  isPredictionMarketError,
  PredictionMarketError,
  THROTTLED_MESSAGE,
  type ErrorCode,
  type FieldError,
} from '../domain/errors';

/** `error` equals `message`, except where docs/errors.md says otherwise. */
export interface RefusalView {
  error: string;
  code: string;
  message: string;
  errors?: FieldError[];
}

/** The fields of a refusal on all routes except those of /auth (docs/errors.md "Bodies"). */
export function refusalView(error: PredictionMarketError, message: string = error.message): RefusalView {
  const body = { error: message, code: error.code, message };
  return error.errors === undefined ? body : { ...body, errors: error.errors };
}

/** These codes hide the original message, because it may come from an adapter or a driver. */
const FIXED_MESSAGES: Partial<Record<ErrorCode, string>> = {
  INTERNAL_ERROR: 'Internal error. Try again later.',
  SERVICE_UNAVAILABLE: 'The service is temporarily unavailable. Try again later.',
};
const DEFAULT_RETRY_SECONDS = 1;

/** Returns a refusal unchanged. Any other error becomes INTERNAL_ERROR. */
export function asRefusal(thrown: unknown): PredictionMarketError {
  if (isPredictionMarketError(thrown)) return thrown;
  return new PredictionMarketError('INTERNAL_ERROR', 'Internal error.', { cause: thrown });
}

export function refusalMessage(error: PredictionMarketError): string {
  return FIXED_MESSAGES[error.code] ?? error.message;
}

export function retryAfterSeconds(error: PredictionMarketError): number {
  return error.retryAfterSeconds ?? DEFAULT_RETRY_SECONDS;
}

/**
 * The body of a refused request. With RATE_LIMIT_EXCEEDED, `error` is the code. But after too many failed
 * authentications, `error` equals `message` (docs/errors.md "Bodies").
 */
export function refusalBody(error: PredictionMarketError): object {
  const body = refusalView(error, refusalMessage(error));
  if (error.code !== 'RATE_LIMIT_EXCEEDED') return body;
  const text = body.message === THROTTLED_MESSAGE ? body.message : error.code;
  return { ...body, error: text, retryAfter: retryAfterSeconds(error) };
}
