import { makeRunFolder } from './run-folder';
import { offerSharedPostgres } from './shared-postgres-server';

export default async function setup(): Promise<void> {
  makeRunFolder();
  await offerSharedPostgres();
}
