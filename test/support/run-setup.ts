/** Sets up the things that the files of a run share. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { RUN_FOLDER } from './run-folder';
import { offerSharedPostgres } from './shared-postgres-server';

export default async function setup(): Promise<void> {
  const folder = join(process.cwd(), '.tmp', `run-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  process.env[RUN_FOLDER] = folder;
  await offerSharedPostgres();
}
