import './debian-postgres-setup';

export default async function teardown(): Promise<void> {
  await globalThis.debianPostgres?.stop();
}
