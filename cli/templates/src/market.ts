/** The market, with the parts that you chose: storage.ts, oracle.ts and payments.ts. */
import { createPredictionMarket, type PredictionMarket } from 'express-prediction-market';
import { createOracle } from './oracle.ts';
import { createPayments } from './payments.ts';
import { optional } from './settings.ts';
import { openStorage } from './storage.ts';

const quiet = (): void => undefined;

export function createMarket(): PredictionMarket {
  const baseUrl = optional('BASE_URL');
  return createPredictionMarket({
    storage: openStorage(),
    oracle: createOracle(),
    ...createPayments(),
    ...(baseUrl !== undefined && { baseUrl }),
    logger: { debug: quiet, info: quiet, warn: console.warn, error: console.error },
  });
}
