/** What instances share: the database has all data, Redis has the counts of the rate limits. */
import { createPredictionMarket, type PredictionMarket } from 'express-prediction-market';
import { developmentFacilitator } from 'express-prediction-market/facilitator/development';
import { manualOracle } from 'express-prediction-market/oracle/manual';
import { redisRateLimit } from 'express-prediction-market/rate-limit/redis';
import { postgresStorage } from 'express-prediction-market/storage/postgres';

export interface SharedServices {
  databaseUrl: string;
  redisUrl: string;
  /** The database schema of the tables. */
  schema?: string;
  /** The beginning of all keys in Redis. */
  prefix?: string;
  baseUrl: string;
}

export function createMarket({
  databaseUrl,
  redisUrl,
  schema,
  prefix,
  baseUrl,
}: SharedServices): PredictionMarket {
  return createPredictionMarket({
    storage: postgresStorage({ url: databaseUrl, ...(schema !== undefined && { schema }) }),
    rateLimit: redisRateLimit({ url: redisUrl, ...(prefix !== undefined && { prefix }) }),
    oracle: manualOracle(),
    // Each process counts the play money by itself. For real payments, use httpFacilitator or evmFacilitator.
    facilitator: developmentFacilitator(),
    payTo: '0x1111111111111111111111111111111111111111',
    baseUrl, // the address of the proxy: wallets sign it, on whichever instance they ask
  });
}
