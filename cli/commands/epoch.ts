import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import type { EventPosition } from 'express-prediction-market';
import type { StorageChoice } from '../../examples/standalone/settings';
import { lockStorage } from '../../examples/standalone/storage';
import { UsageError } from '../needs-a-person';
import { settingsFor, withMarket } from '../storage';
import type { CommandContext } from '../command-context';

interface Options {
  new?: true;
  json?: true;
}

export function addEpoch(program: Command, commandContext: CommandContext): void {
  program
    .command('epoch')
    .description('show the epoch of the live feed and the number of the newest fact')
    .option('--new', 'begin a new epoch: after the restore of a backup, before the first instance starts')
    .option('--json', 'print the position as JSON')
    .action(async (options: Options) => {
      const position = await epoch(commandContext, options);
      commandContext.print(
        options.json ? JSON.stringify(position) : `epoch ${position.epoch}, seq ${position.seq}`,
      );
    });
}

async function epoch(commandContext: CommandContext, options: Options): Promise<EventPosition> {
  const settings = settingsFor('epoch', commandContext);
  if (!options.new) return withMarket(commandContext, settings, async (market) => market.eventPosition());
  return whileNoServerRuns(commandContext, settings.storage, () =>
    withMarket(commandContext, settings, async (market) => market.eventPosition(), { newEpoch: true }),
  );
}

/**
 * Rejects if a server has the lock of the SQLite file. Otherwise takes this lock, if possible, while `work` runs. On
 * Postgres `work` itself rejects while an instance numbers facts.
 */
async function whileNoServerRuns<Result>(
  { tell }: CommandContext,
  storage: StorageChoice,
  work: () => Promise<Result>,
): Promise<Result> {
  // Without a database file, the lock would only leave a file of its own behind.
  if (storage.kind !== 'sqlite' || !existsSync(storage.file)) return work();
  const lock = await lockStorage(storage);
  if (lock?.state === 'taken')
    throw new UsageError(
      'a server runs on this SQLite file and would keep the old epoch: stop the server first',
    );
  try {
    const result = await work();
    tell(lock?.state === 'held' ? OTHERS : UNKNOWN);
    return result;
  } finally {
    await lock?.release();
  }
}

const OTHERS =
  'note: no `serve` of this version runs on this file, so this is done. The command does not notice another app or an older version. If one runs, it keeps the old epoch: stop it, and call epoch --new again';
const UNKNOWN =
  'warning: cannot tell whether a server runs on this file. If none does, this is done. One that runs keeps the old epoch: stop it, and call epoch --new again';
