import type { Command } from 'commander';
import { isPermanent, oneLine } from '../../examples/standalone/one-line';
import { readSettings } from '../../examples/standalone/settings';
import { StartFailed } from '../failures';
import { DRIVERS, requireInstalled } from '../package';
import type { CommandContext } from '../command-context';

/** The standalone server needs packages that an app with a market of its own does not need. */
const PACKAGES = ['express', 'helmet', 'pino', 'prom-client'];

const AFTER_HELP = `
The settings are environment variables, not options: PORT (3000), HOST, DATABASE_URL (sqlite:data/markets.db),
ADMIN_TOKEN and others of docs/standalone.md. It needs these packages: ${PACKAGES.join(', ')}, and the drivers of
the database (${DRIVERS.sqlite.join(', ')}).`;

export function addServe(program: Command, commandContext: CommandContext): void {
  program
    .command('serve')
    .description('run the standalone server, with the settings of the environment')
    .addHelpText('after', AFTER_HELP)
    .action(async () => {
      const { environment } = commandContext;
      requirePackages(commandContext);
      const { runServer } = await import('../../examples/standalone/run');
      await runServer(environment, { sampleCommand: 'npx express-prediction-market sample' }).catch(
        (error: unknown) => {
          // A service manager starts a server again that has ended with 1 (docs/deploy.md). Another start may help,
          // for example while Postgres is not set up yet and refuses the user or the database.
          throw isPermanent(error) ? error : new StartFailed(oneLine(error), { cause: error });
        },
      );
    });
}

function requirePackages(commandContext: CommandContext): void {
  const { storage, redisUrl } = readSettings(commandContext.environment);
  const redis = redisUrl === undefined ? [] : ['ioredis'];
  requireInstalled('serve', [...PACKAGES, ...DRIVERS[storage.kind], ...redis], commandContext);
}
