import type { Command } from 'commander';
import type { EventPosition } from 'express-prediction-market';
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
  const newEpoch = options.new === true;
  const position = await withMarket(commandContext, settings, async (market) => market.eventPosition(), {
    newEpoch,
  });
  // On Postgres a server that numbers facts has a lease, and `withMarket` rejects. On SQLite there is no lease,
  // so the command cannot see whether a server runs.
  if (newEpoch && settings.storage.kind === 'sqlite')
    commandContext.tell(
      'warning: cannot tell whether a server runs on this file. If none does, this is done. One that runs keeps the old epoch: stop it, and call epoch --new again',
    );
  return position;
}
