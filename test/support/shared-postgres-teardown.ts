import './shared-postgres-setup';

export default async function teardown(): Promise<void> {
  globalThis.sharedPostgres?.broker.close();
  const server = await globalThis.sharedPostgres?.started()?.catch(() => null);
  await server?.stop();
}
