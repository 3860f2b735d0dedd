/**
 * Why the vote of a voter has failed. The message is stored and shown to operators, so it must contain no key and no
 * address.
 */
export class VoterError extends Error {
  override name = 'VoterError';
}

/** The server could not be reached or is in trouble. Asking again may help. */
export class TransportError extends VoterError {
  override name = 'TransportError';
  constructor(
    message: string,
    /** The pause that the server asks for. */
    readonly retryAfterMs: number | null = null,
  ) {
    super(message);
  }
}

/** The time limit is over, or the caller has aborted the call. */
export class StoppedError extends VoterError {
  override name = 'StoppedError';
  constructor() {
    super('the voter did not answer in time');
  }
}

/** The model was paid for an answer that cannot be used. */
export class PaidFailureError extends VoterError {
  override name = 'PaidFailureError';
  constructor(
    { message }: VoterError,
    readonly spending: { costUsd: number; tokens?: number },
  ) {
    super(message);
  }
}
