/** Sends a request, and repeats it where that is safe, within the limits of the call. */
import { attempt, type Answered, type AttemptResult, type SentRequest } from './attempt';
import { PredictionMarketApiError, type SentPayment } from './errors';
import { limitsOf, type CallOptions, type ServiceConnection, type UsualLimits } from './options';
import { receiptOf } from './receipt';
import { isWorthRepeating, outcomeOf, pauseMs, retryAfterOf, type Failure, type Repeatable } from './repeat';

export interface Sending {
  request: SentRequest;
  repeatable: Repeatable;
  options: CallOptions;
  limits: UsualLimits;
  idempotencyKey?: string;
  payment?: SentPayment;
  /** Whether an earlier call with the same key, reference or payment may have been carried out. */
  mayHaveBeenSent?: boolean;
}

export interface Failed {
  failure: Failure;
  error: PredictionMarketApiError;
}

/** Rejects with a `PredictionMarketApiError` when the service refuses, or when no answer has come. */
export async function send(connection: ServiceConnection, sending: Sending): Promise<Answered> {
  const result = await tryToSend(connection, sending);
  if ('error' in result) throw result.error;
  return result;
}

export async function tryToSend(connection: ServiceConnection, sending: Sending): Promise<Answered | Failed> {
  const { request, repeatable, options } = sending;
  const { timers } = connection;
  const { attempts, timeoutMs, totalMs } = limitsOf(connection, options, sending.limits);
  const startedAt = timers.now();
  let unknownBefore = sending.mayHaveBeenSent ?? false;
  for (let sent = 1; ; sent += 1) {
    const sentAt = timers.now();
    const result = await attempt(connection, request, { timeoutMs, signal: options.signal });
    const now = timers.now();
    const again = result.kind !== 'answered' && sent < attempts && isWorthRepeating(result, repeatable);
    const pause = again ? pauseMs(sent, retryAfterOf(result, now), connection.random()) : null;
    const repeatedAfterMs = pause !== null && now + pause - startedAt <= totalMs ? pause : null;
    const durationMs = now - sentAt;
    connection.onAttempt({ ...reportOf(request, result), attempt: sent, durationMs, repeatedAfterMs });
    if (result.kind === 'answered') return result;
    if (repeatedAfterMs === null)
      return { failure: result, error: errorOf(sending, result, { attempts: sent, unknownBefore, now }) };
    unknownBefore = outcomeOf(result, repeatable, unknownBefore) === 'unknown';
    await pauseFor(connection, repeatedAfterMs, options.signal);
  }
}

function reportOf({ method, path }: SentRequest, result: AttemptResult) {
  const remaining = result.headers?.get('x-ratelimit-remaining') ?? null;
  return {
    method,
    path,
    status: result.status,
    code: result.kind === 'answered' ? null : result.code,
    remaining: remaining === null ? null : Number(remaining),
  };
}

interface Circumstances {
  attempts: number;
  unknownBefore: boolean;
  now: number;
}

export function errorOf(
  { request: { method, path, headers: sent }, repeatable, idempotencyKey, payment }: Sending,
  failure: Failure,
  { attempts, unknownBefore, now }: Circumstances,
): PredictionMarketApiError {
  const { code, status, headers } = failure;
  const lacksKey = code === 'UNAUTHORIZED' && path.startsWith('/public/') && !('X-API-Key' in sent);
  const hint = lacksKey ? ' (call connectWallet first)' : '';
  return new PredictionMarketApiError(`${method} ${path}: ${code}: ${failure.message}${hint}`, {
    code,
    status,
    outcome: outcomeOf(failure, repeatable, unknownBefore),
    method,
    path,
    attempts,
    details: failure.body,
    retryAfterSeconds: retryAfterOf(failure, now),
    requestId: headers?.get('x-request-id') ?? null,
    idempotencyKey: idempotencyKey ?? null,
    payment: payment ?? null,
    receipt: receiptOf(headers),
    cause: failure.kind === 'lost' ? failure.cause : undefined,
  });
}

/** Resolves after the pause, or at once when the caller ends the call. */
function pauseFor(
  { timers }: ServiceConnection,
  pause: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  return new Promise((resolve) => {
    const cancel = timers.after(pause, done);
    function done(): void {
      cancel();
      signal?.removeEventListener('abort', done);
      resolve();
    }
    if (signal?.aborted === true) done();
    else signal?.addEventListener('abort', done);
  });
}
