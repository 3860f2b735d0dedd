import { PredictionMarketError } from '../../domain/errors';

const RETRY_AFTER_SECONDS = 2;
/** The stored reason of a payment that was rejected because the payer lacks money. */
export const INSUFFICIENT_FUNDS = 'insufficient_funds';

export const PAYMENT_TEXTS = {
  used: 'This payment was used already. Sign a fresh authorization with a new nonce.',
  atWork: 'This payment is at work already',
  otherRequest: 'This payment was made for another request. Sign a fresh authorization with a new nonce.',
} as const;

export function invalidPayment(message: string): PredictionMarketError {
  return new PredictionMarketError('PAYMENT_INVALID', message);
}

export function paymentRejected(reason: string): PredictionMarketError {
  if (reason === INSUFFICIENT_FUNDS)
    return new PredictionMarketError('INSUFFICIENT_FUNDS', 'The paying wallet holds too little USDC');
  return invalidPayment(`The payment is invalid: ${reason}`);
}

export function settlementPending(cause?: unknown): PredictionMarketError {
  const message =
    'Whether the payment went through is not known yet. Repeat the same request with the same payment; it is charged once.';
  return new PredictionMarketError('SETTLEMENT_PENDING', message, {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause,
  });
}

export function facilitatorUnavailable(reason: string): PredictionMarketError {
  return new PredictionMarketError(
    'FACILITATOR_UNAVAILABLE',
    'The payment facilitator cannot be reached. Nothing was charged; try again later.',
    { retryAfterSeconds: RETRY_AFTER_SECONDS, cause: reason },
  );
}
