import { describeWith } from '../support/optional';
import { freshDatabase, startPostgres, type PostgresServer } from '../support/postgres';
import { createWorld } from './payment-world';
import { withdrawalCrashes } from './withdrawals-suite';

describeWith('postgres', 'a withdrawal on Postgres', () => {
  describeWith('anvil', 'and a chain, when servers die,', (binary) => {
    let server: PostgresServer;
    let database: Awaited<ReturnType<typeof freshDatabase>>;
    beforeAll(async () => {
      server = await startPostgres();
      database = await freshDatabase(server.url);
    });
    withdrawalCrashes(() => createWorld(binary, database.url), 'risky steps');
    afterAll(async () => {
      await database.drop();
      await server.stop();
    });
  });
});
