import type { Command } from 'commander';
import { settingsFor, withMarket } from '../storage';
import type { Surroundings } from '../surroundings';

export function addMigrate(program: Command, surroundings: Surroundings): void {
  program
    .command('migrate')
    .description('bring the tables of DATABASE_URL to the version of this package')
    .option('--json', 'print the result as JSON')
    .action(async ({ json }: { json?: true }) => {
      const migrations = await migrate(surroundings);
      if (json) surroundings.print(JSON.stringify({ migrations }));
      else
        surroundings.print(
          migrations.length === 0 ? 'nothing to migrate' : `migrated: ${migrations.join(', ')}`,
        );
    });
}

/** Migrates the database. Resolves with the names of the migrations that ran. */
async function migrate(surroundings: Surroundings): Promise<string[]> {
  const settings = settingsFor('migrate', surroundings);
  const progress = await surroundings.progress('migrating');
  const names = new Set<string>();
  try {
    await withMarket(surroundings, settings, async () => undefined, {
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
