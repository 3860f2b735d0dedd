import { PredictionMarketApiError } from '../../../src/client/index';

/** The API error with which `call` rejects. Throws if `call` succeeds or rejects with another error. */
export async function errorOf(call: Promise<unknown>): Promise<PredictionMarketApiError> {
  const reason: unknown = await call.then(
    () => new Error('the call succeeded'),
    (error: unknown) => error,
  );
  if (reason instanceof PredictionMarketApiError) return reason;
  throw reason;
}
