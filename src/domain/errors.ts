/** All refusals: their codes, HTTP statuses and meanings. docs/errors.md lists the same codes. */
export const ERROR_TABLE = {
  VALIDATION_ERROR: { status: 400, meaning: 'The request is malformed; `errors` names the fields.' },
  INVALID_NONCE: {
    status: 400,
    meaning: 'The challenge nonce is unknown, expired, used, or made for something else.',
  },
  KEY_LIMIT_REACHED: { status: 400, meaning: 'The wallet holds as many active API keys as it may.' },
  SUBSCRIPTION_LIMIT: { status: 400, meaning: 'The connection has as many channels as it may.' },
  UNAUTHORIZED: { status: 401, meaning: 'The API key is missing, malformed, unknown or revoked.' },
  INVALID_SIGNATURE: { status: 401, meaning: 'The signature does not verify, or another wallet made it.' },
  PAYMENT_REQUIRED: { status: 402, meaning: 'The call must be paid for; the body holds the requirements.' },
  PAYMENT_INVALID: { status: 402, meaning: 'The payment does not verify, or was used already.' },
  INSUFFICIENT_FUNDS: { status: 402, meaning: 'The paying wallet holds too little USDC.' },
  INSUFFICIENT_PERMISSIONS: { status: 403, meaning: 'The wallet has no approved creator status.' },
  INSUFFICIENT_SCOPE: { status: 403, meaning: 'The API key lacks the scope that the endpoint needs.' },
  ORIGIN_NOT_ALLOWED: { status: 403, meaning: 'Pages of this origin may not open a socket here.' },
  NOT_FOUND: { status: 404, meaning: 'There is nothing at this address.' },
  MARKET_NOT_FOUND: { status: 404, meaning: 'No market has this id, ticker or slug.' },
  KEY_NOT_FOUND: { status: 404, meaning: 'No such API key, or another wallet owns it.' },
  ALREADY_AUTHENTICATED: { status: 409, meaning: 'The socket already has another API key.' },
  MARKET_CLOSED: { status: 409, meaning: 'The market no longer trades.' },
  INSUFFICIENT_BALANCE: { status: 409, meaning: 'The wallet balance does not cover the cost.' },
  INSUFFICIENT_SHARES: { status: 409, meaning: 'The position holds fewer shares than the sale.' },
  // SLIPPAGE_EXCEEDED is about the bounds that an order carries. PRICE_LIMIT is about the range of prices
  // that every market has. Of the two, an order without bounds can get only PRICE_LIMIT.
  SLIPPAGE_EXCEEDED: {
    status: 409,
    meaning: "The trade would execute outside the order's own bounds, such as `maxPrice`.",
  },
  PRICE_LIMIT: {
    status: 409,
    meaning: 'The buy would take the price above 0.99. This holds in every market and for every order.',
  },
  IDEMPOTENCY_CONFLICT: {
    status: 409,
    meaning: 'The idempotency key or reference was used with other values.',
  },
  ALREADY_RESOLVED: {
    status: 409,
    meaning: 'The market, the payment or the withdrawal already has another decision.',
  },
  NOT_ESCALATED: {
    status: 409,
    meaning: 'Only a market that waits for an operator can be put to the oracle anew.',
  },
  EXPOSURE_LIMIT: { status: 409, meaning: 'A further market would exceed what the treasury may lose.' },
  CONSUMER_LIMIT_REACHED: { status: 409, meaning: 'The limit of consumers is reached.' },
  CONSUMER_IN_USE: { status: 409, meaning: 'An instance works on the consumer; stop it there first.' },
  WITHDRAWAL_LIMIT: {
    status: 409,
    meaning: 'The wallet has as many open withdrawals as it may; wait for one to end.',
  },
  WITHDRAWAL_UNDER_WAY: {
    status: 409,
    meaning: 'The withdrawal may still end by itself, so operators do not decide on it.',
  },
  FACTS_REMOVED: {
    status: 409,
    meaning: 'The fact with this number was removed because of its age; begin with a later one.',
  },
  WEBHOOK_LIMIT: {
    status: 409,
    meaning: 'The limit of webhooks, or of secrets for one webhook, is reached.',
  },
  PAYLOAD_TOO_LARGE: { status: 413, meaning: 'The body is larger than 100 kB.' },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    meaning: 'The body is not JSON in UTF-8, or is encoded in an unknown way.',
  },
  RATE_LIMIT_EXCEEDED: { status: 429, meaning: 'Too many requests; wait for the seconds in `Retry-After`.' },
  INTERNAL_ERROR: { status: 500, meaning: 'A fault on our side. The request may have been carried out.' },
  SERVICE_UNAVAILABLE: {
    status: 503,
    meaning:
      'The storage is away, the service has not started, or its clock has just jumped. The request may have been carried out; retry after `Retry-After`.',
  },
  FACILITATOR_UNAVAILABLE: {
    status: 503,
    meaning: 'The payment facilitator cannot be reached; nothing was charged.',
  },
  SETTLEMENT_PENDING: {
    status: 503,
    meaning:
      'Whether the payment went through is not known yet; repeat the same request with the same payment.',
  },
  ORACLE_UNAVAILABLE: { status: 503, meaning: 'The oracle cannot be reached.' },
} as const satisfies Record<string, { status: number; meaning: string }>;

/** The text of a refusal with RATE_LIMIT_EXCEEDED that is about failed authentications, not about the quota. */
export const THROTTLED_MESSAGE = 'Too many failed authentication attempts. Try again later.';
export const UNAUTHORIZED_MESSAGE = 'Invalid or missing API key.';

export type ErrorCode = keyof typeof ERROR_TABLE;

export function codesOfStatus(status: number): ErrorCode[] {
  const codes = Object.keys(ERROR_TABLE) as ErrorCode[];
  return codes.filter((code) => ERROR_TABLE[code].status === status);
}

export interface FieldError {
  field: string;
  message: string;
}

export interface ErrorDetails {
  /** What is wrong with single fields. The caller sees these details as `errors`. */
  errors?: FieldError[];
  /** The number of seconds after which a retry makes sense. The caller gets it as the `Retry-After` header. */
  retryAfterSeconds?: number;
  /** The underlying error, for the log. The caller never sees it. */
  cause?: unknown;
}

/**
 * A refusal that the caller may see. Recognise it by `isPredictionMarketError`: `instanceof` does not recognise
 * errors of another copy of the package.
 */
export class PredictionMarketError extends Error {
  declare readonly name: 'PredictionMarketError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly errors?: FieldError[];
  readonly retryAfterSeconds?: number;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'PredictionMarketError';
    this.code = code;
    this.status = ERROR_TABLE[code].status;
    if (details.errors !== undefined) this.errors = details.errors;
    if (details.retryAfterSeconds !== undefined) this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

/**
 * Whether this is an error of the service. It also recognises the errors of another copy of the package in the same
 * process, which `instanceof` does not.
 * @example
 * import { isPredictionMarketError } from 'express-prediction-market';
 *
 * try {
 *   await pm.placeTrade({ wallet: address, market: 1, side: 'YES', amount: 10 });
 * } catch (error) {
 *   if (!isPredictionMarketError(error) || error.code !== 'INSUFFICIENT_BALANCE') throw error;
 * }
 */
export function isPredictionMarketError(error: unknown): error is PredictionMarketError {
  if (error instanceof PredictionMarketError) return true;
  if (!(error instanceof Error) || error.name !== 'PredictionMarketError' || !('code' in error)) return false;
  return typeof error.code === 'string' && Object.hasOwn(ERROR_TABLE, error.code);
}

export function validationError(errors: FieldError[]): PredictionMarketError {
  const message = errors.map((entry) => entry.message).join('; ') || 'The request is malformed';
  return new PredictionMarketError('VALIDATION_ERROR', message, { errors });
}

export function serviceUnavailable(message: string, cause?: unknown): PredictionMarketError {
  return new PredictionMarketError('SERVICE_UNAVAILABLE', message, { retryAfterSeconds: 1, cause });
}
