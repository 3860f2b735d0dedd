import { resolve } from 'node:path';
import type { Command } from 'commander';
import { backUpSqlite, type SqliteBackup } from 'express-prediction-market/storage/sqlite';
import { UsageError } from '../needs-a-person';
import { settingsFor } from '../storage';
import type { CommandContext } from '../command-context';

export function addBackup(program: Command, commandContext: CommandContext): void {
  program
    .command('backup')
    .argument('<file>', 'where the copy goes: a path that is free, in a folder that exists')
    .description('copy the SQLite file of DATABASE_URL while servers go on')
    .option('--json', 'print the result as JSON')
    .action(async (file: string, { json }: { json?: true }) => {
      const copy = await backUp(commandContext, file);
      commandContext.print(json ? JSON.stringify(copy) : `copied to ${copy.file}, ${copy.bytes} bytes`);
    });
}

async function backUp(commandContext: CommandContext, to: string): Promise<SqliteBackup> {
  const { storage } = settingsFor('backup', commandContext);
  if (storage.kind !== 'sqlite')
    throw new UsageError(
      'backup copies SQLite files. For Postgres call: pg_dump --format=custom --schema=prediction_market --dbname="$DATABASE_URL" --file=market.dump',
    );
  return backUpSqlite({ file: storage.file, to: resolve(commandContext.folder, to) });
}
