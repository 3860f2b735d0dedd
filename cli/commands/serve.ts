import type { Command } from 'commander';
import { readSettings } from '../../examples/standalone/settings';
import { isInstalled } from '../package';
import type { Surroundings } from '../surroundings';

/** The standalone server needs packages that an app with a market of its own does not need. */
const PACKAGES = ['express', 'helmet', 'pino', 'pino-http', 'prom-client'];
const DRIVERS = { sqlite: ['sequelize', 'sqlite3'], postgres: ['sequelize', 'pg'], memory: [] };

export function addServe(program: Command, surroundings: Surroundings): void {
  program
    .command('serve')
    .description('run the standalone server, with the settings of the environment')
    .action(async () => {
      const { environment } = surroundings;
      requirePackages(environment);
      const { runServer } = await import('../../examples/standalone/run');
      await runServer(environment);
    });
}

function requirePackages(environment: Surroundings['environment']): void {
  const { storage, redisUrl } = readSettings(environment);
  const needed = [...PACKAGES, ...DRIVERS[storage.kind], ...(redisUrl === undefined ? [] : ['ioredis'])];
  const missing = needed.filter((name) => !isInstalled(name));
  if (missing.length > 0)
    throw new Error(`serve needs packages that are not installed: npm install ${missing.join(' ')}`);
}
