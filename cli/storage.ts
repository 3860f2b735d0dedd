/** A market over the storage that DATABASE_URL names, without background jobs. */
import { createPredictionMarket, type PredictionMarket, type StartOptions } from 'express-prediction-market';
import { developmentFacilitator } from 'express-prediction-market/facilitator/development';
import { manualOracle } from 'express-prediction-market/oracle/manual';
import type { MigrationOptions } from 'express-prediction-market/storage/sqlite';
import { readSettings, type Settings } from '../examples/standalone/settings';
import { openStorage } from '../examples/standalone/storage';
import { UsageError } from './failures';
import type { Surroundings } from './surroundings';

/** The settings of the server, of which the commands use the storage and the limits of the house. */
export function settingsFor(command: string, { environment }: Surroundings): Settings {
  const settings = readSettings(environment);
  if (settings.storage.kind === 'memory')
    throw new UsageError(
      `${command} needs a database: DATABASE_URL is memory:, which is empty in every process`,
    );
  return settings;
}

export interface OpenOptions extends MigrationOptions, Omit<StartOptions, 'jobs'> {}

/**
 * Opens the market, hands it to the work and closes it. No job runs meanwhile, so the oracle and the facilitator
 * are never asked, and a running server goes on with its own. The storage is migrated only if `migrate` says so,
 * because a migration would stop a running server of an older version.
 */
export async function withMarket<Result>(
  surroundings: Surroundings,
  settings: Settings,
  work: (market: PredictionMarket) => Promise<Result>,
  { newEpoch = false, migrate = false, ...migrations }: OpenOptions = {},
): Promise<Result> {
  const { clock, random } = surroundings;
  const market = createPredictionMarket({
    storage: openStorage(settings.storage, { ...migrations, migrate }),
    oracle: manualOracle(),
    facilitator: developmentFacilitator({ warn: () => undefined }),
    payTo: settings.payTo,
    exposureLimit: settings.exposureLimit,
    ...(clock !== undefined && { clock }),
    ...(random !== undefined && { random }),
  });
  try {
    await market.start({ jobs: false, newEpoch });
    return await work(market);
  } finally {
    await market.close();
  }
}
