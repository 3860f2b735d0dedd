import { PredictionMarketApiError } from '../../../src/client/index';

/** Another error or a success fails the test. */
export async function errorOf(call: Promise<unknown>): Promise<PredictionMarketApiError> {
  const reason: unknown = await call.then(
    () => new Error('the call succeeded'),
    (error: unknown) => error,
  );
  if (reason instanceof PredictionMarketApiError) return reason;
  throw reason;
}
