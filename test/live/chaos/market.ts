import { createPredictionMarket, type PredictionMarket, type Storage } from 'express-prediction-market';
import { developmentFacilitator } from 'express-prediction-market/facilitator/development';
import { manualOracle } from 'express-prediction-market/oracle/manual';
import { postgresStorage } from 'express-prediction-market/storage/postgres';
import { sqliteStorage } from 'express-prediction-market/storage/sqlite';
import { CRASH_CREATOR } from '../../crash/wallets';

export interface MarketSettings {
  database: string;
  /**
   * From `clockStart` on, the clocks of all processes run this many times as fast, so that leases of killed
   * instances end sooner.
   */
  clockSpeed: number;
  clockStart: number;
}

export interface ServerSettings extends MarketSettings {
  port: number;
}

export function storageAt(database: string): Storage {
  if (!database.startsWith('postgres')) return sqliteStorage({ file: database });
  return postgresStorage({ url: database, pool: { max: 4 } });
}

export function liveMarket({ database, clockSpeed, clockStart }: MarketSettings): PredictionMarket {
  const quiet = (): void => undefined;
  const loud = (fields: object, message: string): void => console.error(message, fields);
  return createPredictionMarket({
    storage: storageAt(database),
    oracle: manualOracle(),
    facilitator: developmentFacilitator({ warn: quiet }),
    payTo: CRASH_CREATOR,
    clock: { now: () => Math.round(clockStart + (Date.now() - clockStart) * clockSpeed) },
    logger: { debug: quiet, info: quiet, warn: loud, error: loud },
    addressRateLimit: 1_000_000,
    failedAuthLimit: 1_000_000,
  });
}
