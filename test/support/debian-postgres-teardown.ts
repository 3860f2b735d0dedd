import './debian-postgres-setup';
import { removeRunFolder } from './run-folder';

export default async function teardown(): Promise<void> {
  removeRunFolder();
  await globalThis.debianPostgres?.stop();
}
