import { postgresStorage } from '../../adapters/storage/postgres';
import type { PredictionMarketOptions } from '../../src/prediction-market-options';
import { startService, type Service } from '../http/support/service';
import { freshDatabase, freshSchema, startPostgres, type PostgresServer } from '../support/postgres';
import { startPostgresProxy, type PostgresProxy } from '../support/postgres-proxy';

const DAY_MS = 86_400_000;

export interface LostCommitsWorld {
  service(): Service;
  proxy(): PostgresProxy;
}

/**
 * Registers hooks of Jest. The jobs run before each test, and then only when the test calls them, because tests count
 * COMMITs.
 */
export function lostCommitsWorld(options: () => Partial<PredictionMarketOptions>): LostCommitsWorld {
  let server: PostgresServer;
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  let proxy: PostgresProxy;
  let service: Service;
  beforeAll(async () => {
    server = await startPostgres();
    database = await freshDatabase(server.url);
    proxy = await startPostgresProxy(database.url);
  });
  beforeEach(async () => {
    service = await startService({
      storage: postgresStorage({ url: proxy.url, schema: freshSchema() }),
      jobIntervalMs: DAY_MS,
      ...options(),
    });
    await service.pm.runJobs();
  });
  afterEach(() => service.close());
  afterAll(async () => {
    await proxy.close();
    await database.drop();
    await server.stop();
  });
  return { service: () => service, proxy: () => proxy };
}
