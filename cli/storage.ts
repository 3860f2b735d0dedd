/** A market over the storage that DATABASE_URL names, without background jobs. */
import {
  createPredictionMarket,
  type Facilitator,
  type PredictionMarket,
  type StartOptions,
  type Storage,
} from 'express-prediction-market';
import { manualOracle } from 'express-prediction-market/oracle/manual';
import type { MigrationOptions } from 'express-prediction-market/storage/sqlite';
import { readSettings, type Settings } from '../examples/standalone/settings';
import { openStorage } from '../examples/standalone/storage';
import { UsageError } from './needs-a-person';
import { DRIVERS, requireInstalled } from './package';
import type { CommandContext } from './command-context';

/**
 * The settings of the server, of which the commands use only a part. Warns of variables that are probably misspelt: with
 * a misspelt DATABASE_URL, the command would use the default database.
 */
export function settingsFor(command: string, commandContext: CommandContext): Settings {
  const settings = readSettings(commandContext.environment);
  for (const { given, meant } of settings.misspelt)
    commandContext.tell(`warning: ${given} is not a setting: did you mean ${meant}?`);
  if (settings.storage.kind === 'memory')
    throw new UsageError(
      `${command} needs a database: DATABASE_URL is memory:, which is empty in every process`,
    );
  requireInstalled(command, DRIVERS[settings.storage.kind], commandContext);
  return settings;
}

export interface OpenOptions extends Omit<StartOptions, 'jobs'>, Pick<MigrationOptions, 'onMigration'> {
  /** `if new`: a database without tables is migrated, and one of another version is refused. Default `never`. */
  migrate?: 'always' | 'if new' | 'never';
}

/**
 * Opens the market, calls `work` with it and closes it. No job runs in this time, so the oracle and the
 * facilitator are never asked, and the jobs of a running server are not disturbed. The storage is migrated
 * only if `migrate` says so, because a migration would stop a running server of an older version.
 */
export async function withMarket<Result>(
  commandContext: CommandContext,
  settings: Settings,
  work: (market: PredictionMarket, storage: Storage) => Promise<Result>,
  { migrate = 'never', ...options }: OpenOptions = {},
): Promise<Result> {
  const { market, storage } = await openMarket(commandContext, settings, {
    ...options,
    migrate: migrate === 'always',
  }).catch((error: unknown) => {
    if (migrate !== 'if new' || (error as { code?: unknown }).code !== 'NEVER_MIGRATED') throw error;
    return openMarket(commandContext, settings, { ...options, migrate: true });
  });
  try {
    return await work(market, storage);
  } finally {
    await market.close();
  }
}

/**
 * Commands settle no payments. Their facilitator does not say whether its money is real (`playMoney`), so that commands
 * can open books of play money and of real money.
 */
const unavailable = async () => ({ status: 'unavailable' as const, reason: 'a command moves no money' });
const noFacilitator: Facilitator = {
  name: 'none',
  verify: unavailable,
  settle: unavailable,
  lookup: async () => ({ status: 'unknown', reason: 'a command moves no money' }),
  supported: unavailable,
};

async function openMarket(
  { clock, random }: CommandContext,
  settings: Settings,
  { newEpoch = false, ...migrations }: MigrationOptions & Pick<StartOptions, 'newEpoch'>,
): Promise<{ market: PredictionMarket; storage: Storage }> {
  const storage = openStorage(settings.storage, migrations);
  const market = createPredictionMarket({
    storage,
    oracle: manualOracle(),
    facilitator: noFacilitator,
    payTo: settings.payTo,
    exposureLimit: settings.exposureLimit,
    webhooks: { allowPrivate: settings.webhookAllowPrivate },
    ...(clock !== undefined && { clock }),
    ...(random !== undefined && { random }),
  });
  try {
    await market.start({ jobs: false, newEpoch });
    return { market, storage };
  } catch (error) {
    await market.close();
    throw error;
  }
}
