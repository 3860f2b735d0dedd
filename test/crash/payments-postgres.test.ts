import { describeWith } from '../support/optional';
import { freshDatabase, startPostgres, type PostgresServer } from '../support/postgres';
import { createWorld } from './payment-world';
import { paymentCrashes } from './payments-suite';

describeWith('postgres', 'deaths in the life of a payment on Postgres', () => {
  describeWith('anvil', 'and a chain', (binary) => {
    let server: PostgresServer;
    let database: Awaited<ReturnType<typeof freshDatabase>>;
    beforeAll(async () => {
      server = await startPostgres();
      database = await freshDatabase(server.url);
    });
    paymentCrashes(() => createWorld(binary, database.url), 'the job comes first');
    afterAll(async () => {
      await database.drop();
      await server.stop();
    });
  });
});
