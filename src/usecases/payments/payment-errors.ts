import { PredictionMarketError } from '../../domain/errors';
import type { PaymentRecord } from '../../domain/payments';

const RETRY_AFTER_SECONDS = 2;
/** The stored reason of a payment that was rejected because the payer lacks money. */
export const INSUFFICIENT_FUNDS = 'insufficient_funds';

const COPY_RETRY_SECONDS = 1;

export function invalidPayment(message: string): PredictionMarketError {
  return new PredictionMarketError('PAYMENT_INVALID', message);
}

export function madeForAnother(): PredictionMarketError {
  return invalidPayment(
    'This payment was made for another request. Sign a fresh authorization with a new nonce.',
  );
}

/**
 * The refusal of a payment that was charged and answered. A broken connection may have lost the answer, so the payer is
 * told not to pay again at once.
 */
export class UsedPaymentError extends PredictionMarketError {
  readonly payment: Pick<PaymentRecord, 'transaction' | 'payer'>;

  constructor({ transaction, payer }: PaymentRecord) {
    const by = transaction === null ? '' : `, by ${transaction}`;
    super(
      'PAYMENT_INVALID',
      `This payment was used already: it was charged once${by}, and its call was answered. ` +
        'If you miss the answer, look for its result before you pay again. ' +
        'For another call, sign a fresh authorization with a new nonce.',
    );
    this.payment = { transaction, payer };
  }
}

/** `Retry-After` tells clients that the same request gets the answer later. */
export function paymentAtWork(): PredictionMarketError {
  return new PredictionMarketError('PAYMENT_INVALID', 'This payment is at work already', {
    retryAfterSeconds: COPY_RETRY_SECONDS,
  });
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
