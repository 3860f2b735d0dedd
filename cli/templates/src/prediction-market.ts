/** The prediction market, with the parts that you chose: storage.ts, oracle.ts and payments.ts. */
import { createPredictionMarket, type PredictionMarket } from 'express-prediction-market';
import { createOracle } from './oracle.ts';
import { createPayments } from './payments.ts';
import { HTTP_URL, optionalAs, together } from './settings.ts';
import { openStorage } from './storage.ts';

const quiet = (): void => undefined;

export function createPm(): PredictionMarket {
  const { baseUrl, storage, oracle, payments } = together({
    baseUrl: () => optionalAs('BASE_URL', HTTP_URL),
    storage: openStorage,
    oracle: createOracle,
    payments: createPayments,
  });
  return createPredictionMarket({
    storage,
    oracle,
    ...payments,
    ...(baseUrl !== undefined && { baseUrl }),
    logger: { debug: quiet, info: quiet, warn: console.warn, error: console.error },
  });
}
