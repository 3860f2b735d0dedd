/**
 * Why the service does not start.
 * - `WRONG_CHAIN`: the node of the facilitator or of the payout is on another chain than the option `network`.
 * - `PLAY_MONEY_IN_BOOKS`: the payout would pay play money out as real money.
 * - `OTHER_MONEY_IN_BOOKS`: the books hold real money, and the adapters move play money or another token.
 */
export type PaymentSetUpProblem = 'WRONG_CHAIN' | 'PLAY_MONEY_IN_BOOKS' | 'OTHER_MONEY_IN_BOOKS';

/**
 * `start` rejects with this error when the chain or the money of the adapters is wrong, before real money can
 * be lost. The message says what the host has to change.
 */
export class PaymentSetUpError extends Error {
  declare readonly name: 'PaymentSetUpError';
  readonly code: PaymentSetUpProblem;
  /** For `WRONG_CHAIN`, the chain of the node in CAIP-2. Otherwise what shows which money the books hold. */
  readonly found: string;

  constructor(code: PaymentSetUpProblem, found: string, message: string) {
    super(message);
    this.name = 'PaymentSetUpError';
    this.code = code;
    this.found = found;
  }
}

/** Recognises the error by its name, because two copies of the package have two classes. */
export function isPaymentSetUpError(error: unknown): error is PaymentSetUpError {
  return error instanceof Error && error.name === 'PaymentSetUpError' && 'code' in error;
}
