import type { ErrorCode } from './api.generated';
import type { Receipt } from './receipt';

/**
 * Codes that no service sends. `NETWORK_ERROR`: no answer came. `TIMEOUT`: no answer came in time. `ABORTED`:
 * the caller's signal ended the call. `UNEXPECTED_ANSWER`: an answer that the client cannot use, such as the page
 * of a proxy or a redirect. `PAYMENT_TOO_HIGH` and `PAYMENT_TOKEN_NOT_ALLOWED`: a paid call asks for more than the caller
 * allows, or for another token; nothing was signed. `PAYMENT_CLIENT_FAILED`: the function `payWith` failed after
 * it had sent a payment. `CHALLENGE_REFUSED`: the message to sign names another service, wallet or action; nothing
 * was signed.
 */
export type ClientErrorCode =
  | 'NETWORK_ERROR'
  | 'TIMEOUT'
  | 'ABORTED'
  | 'UNEXPECTED_ANSWER'
  | 'PAYMENT_TOO_HIGH'
  | 'PAYMENT_TOKEN_NOT_ALLOWED'
  | 'PAYMENT_CLIENT_FAILED'
  | 'CHALLENGE_REFUSED';

/**
 * The codes of the service that this client was made for, and those of the client. A newer service may send further
 * codes, so a `switch` needs a `default`. The type does not include `string`, so a misspelt code does not compile.
 */
export type ApiErrorCode = ErrorCode | ClientErrorCode;

export interface FieldError {
  /** The name of the field; empty: the whole input. */
  field: string;
  /** What is wrong, for people. */
  message: string;
}

/**
 * What is known about a failed call. `refused`: the service did not carry out the call, or the call only reads.
 * `unknown`: the service may have carried out the call, because the answer was lost or does not say so.
 */
export type CallOutcome = 'refused' | 'unknown';

export interface ApiErrorFields {
  code: ApiErrorCode;
  /** The HTTP status. 0 if no answer came. */
  status: number;
  outcome: CallOutcome;
  method: string;
  path: string;
  /** How many times the request was sent. */
  attempts: number;
  details?: unknown;
  retryAfterSeconds?: number | null;
  requestId?: string | null;
  idempotencyKey?: string | null;
  payment?: SentPayment | null;
  receipt?: Receipt | null;
  cause?: unknown;
}

/** The header that carried a signed payment. */
export interface SentPayment {
  /** The name of the header. */
  header: 'X-PAYMENT' | 'PAYMENT-SIGNATURE';
  /** The signed payment, as the header has it. */
  value: string;
}

const NAME = 'PredictionMarketApiError';

const NOTHING_MORE = {
  details: null,
  retryAfterSeconds: null,
  name: NAME,
  requestId: null,
  idempotencyKey: null,
  receipt: null,
};

export class PredictionMarketApiError extends Error {
  declare readonly name: typeof NAME;
  /** A code of the service (docs/errors.md), or a code of the client. */
  declare readonly code: ApiErrorCode;
  /** The HTTP status. 0 if no answer came. */
  declare readonly status: number;
  /** Whether the service may have carried out the call. */
  declare readonly outcome: CallOutcome;
  /** What is wrong with single fields. */
  declare readonly errors: readonly FieldError[];
  /** The JSON of the answer. Null if there is none. */
  declare readonly details: unknown;
  /** After how many seconds the service wants to be asked again. Null if the answer does not say. */
  declare readonly retryAfterSeconds: number | null;
  /** The `X-Request-Id` of the answer, which a host may set; else null. */
  declare readonly requestId: string | null;
  /**
   * The idempotency key of an order or a withdrawal; else null. The service remembers the key for at least 24 hours.
   * In that time it carries out the same call with this key at most once.
   */
  declare readonly idempotencyKey: string | null;
  /** The receipt in the answer, for example of a paid call that was charged and then refused. Else null. */
  declare readonly receipt: Receipt | null;
  /** The HTTP method. */
  declare readonly method: string;
  /** The path of the request below the address of the API, with its query. */
  declare readonly path: string;
  /** How many times the request was sent. */
  declare readonly attempts: number;
  /**
   * The payment of a paid call. The same call with this payment is charged at most once. Logs do not show it,
   * because it is not enumerable.
   */
  declare readonly payment: SentPayment | null;

  constructor(message: string, { cause, payment, ...fields }: ApiErrorFields) {
    super(message, cause === undefined ? undefined : { cause });
    Object.assign(this, NOTHING_MORE, { errors: fieldErrorsOf(fields.details) }, fields);
    Object.defineProperty(this, 'payment', { value: payment ?? null });
  }
}

export function nothingSigned(
  answer: Pick<ApiErrorFields, 'method' | 'path' | 'status' | 'attempts' | 'details'>,
  { code, reason }: { code: ClientErrorCode; reason: string },
): PredictionMarketApiError {
  const { method, path } = answer;
  return new PredictionMarketApiError(`${method} ${path}: ${code}: ${reason}`, {
    ...answer,
    code,
    outcome: 'refused',
  });
}

/**
 * Whether the error is a `PredictionMarketApiError`. Compares the name too, because ESM and CommonJS in one process
 * have two classes.
 */
export function isPredictionMarketApiError(error: unknown): error is PredictionMarketApiError {
  return error instanceof PredictionMarketApiError || (error instanceof Error && error.name === NAME);
}

function fieldErrorsOf(details: unknown): FieldError[] {
  const { errors } = Object(details) as { errors?: unknown };
  return Array.isArray(errors) ? (errors as FieldError[]) : [];
}
