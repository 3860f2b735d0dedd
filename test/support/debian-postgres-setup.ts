import { debianPrograms } from './optional';
import { makeRunFolder } from './run-folder';
import { startRestartablePostgres, type PostgresServer } from './postgres';

declare global {
  var debianPostgres: PostgresServer | undefined;
}

export default async function setup(): Promise<void> {
  makeRunFolder();
  const programs = debianPrograms();
  if (programs === null) return;
  globalThis.debianPostgres = await startRestartablePostgres({ POSTGRES_PROGRAMS: programs });
  process.env['TEST_DEBIAN_POSTGRES_URL'] = globalThis.debianPostgres.url;
}
