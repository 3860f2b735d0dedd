import { PredictionMarketApiError, type ApiErrorCode } from '../errors';
import type { EventPosition, Refusal } from './server-messages';

/**
 * The caller was too slow. The caller has every message up to `position`, and can give it as `since` to go on. Null:
 * there is no position yet.
 */
export class LiveInboxFullError extends Error {
  declare readonly name: 'LiveInboxFullError';
  declare readonly code: 'INBOX_FULL';
  declare readonly position: EventPosition | null;

  constructor(limit: number, position: EventPosition | null) {
    super(`More than ${limit} messages wait. Take them faster, or follow fewer channels.`);
    this.name = 'LiveInboxFullError';
    this.code = 'INBOX_FULL';
    this.position = position;
  }
}

/** A status or a close code reports that the key was refused, so the client supplies the text. */
export const KEY_REFUSED: Refusal = { code: 'UNAUTHORIZED', message: 'The API key is wrong or was revoked.' };
export const SCOPE_MISSING: Refusal = {
  code: 'INSUFFICIENT_SCOPE',
  message: 'The API key lacks the scope account:read.',
};

/** A refusal on a socket has no HTTP status. These are the statuses of docs/errors.md. */
const STATUSES: Readonly<Record<string, number>> = {
  VALIDATION_ERROR: 400,
  SUBSCRIPTION_LIMIT: 400,
  UNAUTHORIZED: 401,
  INSUFFICIENT_SCOPE: 403,
  MARKET_NOT_FOUND: 404,
};

export function refusalError({ code, message }: Refusal): PredictionMarketApiError {
  return new PredictionMarketApiError(message || code, {
    code: code as ApiErrorCode,
    status: STATUSES[code] ?? 0,
    outcome: 'refused',
    method: 'GET',
    path: '/ws',
    attempts: 1,
  });
}
