import { removeRunFolder } from './run-folder';
import { endSharedPostgres } from './shared-postgres-server';

export default async function teardown(): Promise<void> {
  removeRunFolder();
  await endSharedPostgres();
}
