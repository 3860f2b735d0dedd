import type { Command } from 'commander';
import type { EventPosition } from 'express-prediction-market';
import { settingsFor, withMarket } from '../storage';
import type { Surroundings } from '../surroundings';

interface Options {
  new?: true;
  json?: true;
}

export function addEpoch(program: Command, surroundings: Surroundings): void {
  program
    .command('epoch')
    .description('show the epoch of the live feed and the number of the newest fact')
    .option('--new', 'begin a new epoch: after the restore of a backup, before the first instance starts')
    .option('--json', 'print the position as JSON')
    .action(async (options: Options) => {
      const position = await epoch(surroundings, options);
      surroundings.print(
        options.json ? JSON.stringify(position) : `epoch ${position.epoch}, seq ${position.seq}`,
      );
    });
}

async function epoch(surroundings: Surroundings, options: Options): Promise<EventPosition> {
  const settings = settingsFor('epoch', surroundings);
  const newEpoch = options.new === true;
  const position = await withMarket(surroundings, settings, async (market) => market.eventPosition(), {
    newEpoch,
  });
  // On Postgres a server that numbers facts holds a lease, and the command is refused. SQLite has no such
  // lease.
  if (newEpoch && settings.storage.kind === 'sqlite')
    surroundings.tell(
      'warning: cannot tell whether a server runs on this file. If none does, this is done. One that runs keeps the old epoch: stop it, and call epoch --new again',
    );
  return position;
}
