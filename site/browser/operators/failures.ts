/** What a failed call means for the operator, and what to do next. */
import { isPredictionMarketApiError, type PredictionMarketApiError } from '../../../src/client';

const NEXT_STEPS: Record<string, string> = {
  ALREADY_RESOLVED: 'Nothing was changed. Load the list again to see how it was decided.',
  CONSUMER_IN_USE: 'Stop it in the app that runs it, then remove it here.',
  FACTS_REMOVED: 'Choose a later number.',
  IDEMPOTENCY_CONFLICT: 'Choose another reference.',
  KEY_NOT_FOUND: 'It was revoked already. Look the wallet up again.',
  MARKET_CLOSED: 'Load the list again to see the state of the market.',
  NOT_ESCALATED: 'The market does not wait for an operator any more. Load the list again.',
  NOT_FOUND: 'It is gone. Load the list again.',
  WEBHOOK_LIMIT: 'Remove one that is not used, then try again.',
  WITHDRAWAL_UNDER_WAY: 'It may still end by itself. Wait, and look again later.',
};

let tokenRefused: () => void = () => undefined;

/** Sets the one listener for calls that are refused because of the token. */
export function onTokenRefusal(listener: () => void): void {
  tokenRefused = listener;
}

export function isTokenRefusal(error: unknown): boolean {
  return isPredictionMarketApiError(error) && error.status === 401;
}

/** The text for a failed call that has changed nothing, such as a call that only reads. */
export function explain(error: unknown): string {
  if (!isPredictionMarketApiError(error)) return error instanceof Error ? error.message : String(error);
  const { code, retryAfterSeconds } = error;
  const wait = retryAfterSeconds === null ? '' : `Try again in ${retryAfterSeconds} s.`;
  const next = NEXT_STEPS[code] ?? (isAway(error) ? wait || 'Try again in a moment.' : wait);
  return [sentenceOf(error), next].filter((part) => part !== '').join(' ');
}

/** The text for a failed change. A lost answer does not tell whether the change was made. */
export function explainChange(error: unknown): string {
  if (!isPredictionMarketApiError(error) || error.outcome === 'refused') return explain(error);
  return `It is not known whether this was carried out. ${sentenceOf(error)} Load the page again and look at the state before you send it once more.`;
}

/** Calls the listener of `onTokenRefusal` if the token was refused, because no further call can succeed. */
export function noticeRefusal(error: unknown): void {
  if (isTokenRefusal(error)) tokenRefused();
}

function isAway({ status }: PredictionMarketApiError): boolean {
  return status === 0 || status >= 500;
}

function sentenceOf({ code, details, errors, status }: PredictionMarketApiError): string {
  if (code === 'NETWORK_ERROR') return 'No answer came from the server.';
  if (code === 'TIMEOUT') return 'The server did not answer in time.';
  if (code === 'UNEXPECTED_ANSWER') return `Something between you and the server answered (${status}).`;
  if (errors.length > 0) return `${errors.map(({ message }) => message).join('; ')}.`;
  const text =
    typeof details === 'object' && details !== null && 'message' in details ? details.message : null;
  const sentence = typeof text === 'string' && text !== '' ? text : code;
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
