/**
 * Translates errors of the SDK. Such errors contain the request, its headers and the whole answer, so only
 * their kind and status are passed on.
 */
import { isRecord } from '../../../src/domain/options';
import { TransportError, VoterError } from '../../shared/judge/errors';

export function voterErrorOf(error: unknown): VoterError {
  if (error instanceof VoterError) return error;
  // After its last retry, the SDK throws an error that has the last failure in `lastError`.
  const failure = isRecord(error) && isRecord(error.lastError) ? error.lastError : error;
  if (!isRecord(failure) || failure.name !== 'AI_APICallError')
    return new VoterError('the model gave no verdict');
  const { statusCode, isRetryable } = failure;
  if (typeof statusCode !== 'number') return new TransportError('the model server could not be reached');
  const message = `the model server answered HTTP ${statusCode}`;
  return isRetryable === true ? new TransportError(message) : new VoterError(message);
}

/**
 * The text that the model wrote in place of the requested JSON. `null` for another failure, and for a text that
 * was cut off.
 */
export function textBesides(error: unknown): string | null {
  if (!isRecord(error) || error.name !== 'AI_NoObjectGeneratedError') return null;
  return typeof error.text === 'string' && error.finishReason !== 'length' ? error.text : null;
}
