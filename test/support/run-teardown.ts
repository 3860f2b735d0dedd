import { rmSync } from 'node:fs';
import { RUN_FOLDER } from './run-folder';
import { endSharedPostgres } from './shared-postgres-server';

export default async function teardown(): Promise<void> {
  const folder = process.env[RUN_FOLDER];
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  await endSharedPostgres();
}
