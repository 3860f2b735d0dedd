import { PredictionMarketApiError } from '../../../src/client/index';

/** The error with which a call fails. Another error, and a success, fail the test. */
export async function errorOf(call: Promise<unknown>): Promise<PredictionMarketApiError> {
  const reason: unknown = await call.then(
    () => new Error('the call succeeded'),
    (error: unknown) => error,
  );
  if (reason instanceof PredictionMarketApiError) return reason;
  throw reason;
}
