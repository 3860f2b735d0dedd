/** Why the app does not start. */
import { isPaymentSetUpError, type PaymentSetUpProblem } from 'express-prediction-market';
import { WrongSettings } from './settings.ts';

/** How many causes are followed, because the causes of a driver's error may form a circle. */
const MOST_CAUSES = 8;

const SETTING_OF: Record<PaymentSetUpProblem, string> = {
  WRONG_CHAIN: 'RPC_URL',
  PLAY_MONEY_IN_BOOKS: 'DATABASE_URL, or TREASURY_PRIVATE_KEY',
  OTHER_MONEY_IN_BOOKS: 'the settings of the payments, or DATABASE_URL',
};

/** What failed, and what made it fail. */
export function reasonsOf(error: unknown, followed = 0): string {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'EADDRINUSE') return `${error.message}; PORT chooses another port`;
  // The market does not start with a mistake that could cost real money.
  if (isPaymentSetUpError(error)) return `${SETTING_OF[error.code]}: ${error.message}`;
  const setting = 'code' in error && error.code === 'SERVICE_UNAVAILABLE' ? 'DATABASE_URL: ' : '';
  return error.cause === undefined || followed >= MOST_CAUSES
    ? `${setting}${error.message}`
    : `${setting}${error.message}: ${reasonsOf(error.cause, followed + 1)}`;
}

/** Whether only a person can help: another start would fail in the same way. */
export function isPermanent(error: unknown, followed = 0): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof WrongSettings || isPaymentSetUpError(error)) return true;
  if ('code' in error && error.code === 'UNUSABLE_DATABASE') return true;
  return followed < MOST_CAUSES && isPermanent(error.cause, followed + 1);
}
