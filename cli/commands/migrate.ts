import type { Command } from 'commander';
import { describeStorage } from '../../examples/standalone/banner';
import { isFirstMigration } from '../../examples/standalone/storage';
import type { Settings } from '../../examples/standalone/settings';
import { settingsFor, withMarket } from '../storage';
import type { CommandContext } from '../command-context';

export function addMigrate(program: Command, commandContext: CommandContext): void {
  program
    .command('migrate')
    .description('bring the tables of DATABASE_URL to the version of this package')
    .option('--json', 'print the result as JSON')
    .action(async ({ json }: { json?: true }) => {
      const settings = settingsFor('migrate', commandContext);
      const migrations = await migrate(commandContext, settings);
      const database = describeStorage(settings.storage);
      const isNew = migrations.some(isFirstMigration);
      if (json) commandContext.print(JSON.stringify({ migrations, database, isNew }));
      else for (const line of describe({ migrations, database, isNew })) commandContext.print(line);
    });
}

interface Migrated {
  migrations: string[];
  /** The database as a line of text, without its password. */
  database: string;
  /**
   * Whether this run has made the tables. If so, the command warns: a misspelt DATABASE_URL makes a new
   * database.
   */
  isNew: boolean;
}

function describe({ migrations, database, isNew }: Migrated): string[] {
  if (migrations.length === 0) return [`nothing to migrate: ${database}`];
  return [
    `migrated ${database}: ${migrations.join(', ')}`,
    ...(isNew ? ['NEW database: this run has made its tables. Is DATABASE_URL the right one?'] : []),
  ];
}

/** Migrates the database. Resolves with the names of the migrations that ran. */
async function migrate(commandContext: CommandContext, settings: Settings): Promise<string[]> {
  const progress = await commandContext.progress('migrating');
  const names = new Set<string>();
  try {
    await withMarket(commandContext, settings, async () => undefined, {
      migrate: 'always',
      onMigration({ name, finished, total }) {
        names.add(name);
        progress.show(finished, total, name);
      },
    });
  } finally {
    progress.end();
  }
  return [...names];
}
