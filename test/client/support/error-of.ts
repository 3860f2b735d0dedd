import { PredictionMarketApiError } from '../../../src/client/index';

export async function errorOf(call: Promise<unknown>): Promise<PredictionMarketApiError> {
  const reason: unknown = await call.then(
    () => new Error('the call succeeded'),
    (error: unknown) => error,
  );
  if (reason instanceof PredictionMarketApiError) return reason;
  throw reason;
}
