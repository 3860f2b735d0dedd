import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { postgresStorage } from 'express-prediction-market/storage/postgres';
import { silentLogger } from '../../src/ports/logger';
import type { Storage } from '../../src/ports/storage';
import { storageConformance } from '../../testing/storage-conformance';
import { prepareMarkets } from '../crash/prepare';
import { CRASH_WALLETS } from '../crash/wallets';
import { orderKey, orderOf } from '../crash/orders';
import { describeWith } from '../support/optional';
import { startPgBouncer, type PgBouncer } from '../support/pgbouncer';
import {
  freshDatabase,
  openRawPostgres,
  postgresInspection,
  startPostgres,
  type PostgresServer,
} from '../support/postgres';
import { schemasInTurn, type SchemasInTurn } from '../support/postgres-schemas';
import { startPostgresProxy } from '../support/postgres-proxy';
import { marketOn, repeatAndCheckOrders } from './support/books';
import { newRecords } from './support/trader-process';

describeWith('pgbouncer', 'postgresStorage behind PgBouncer in transaction mode', (program) => {
  let server: PostgresServer;
  let bouncer: PgBouncer;
  let raw: pg.Client;
  let schemas: SchemasInTurn;

  beforeAll(async () => {
    server = await startPostgres();
    bouncer = await startPgBouncer(program, server.url);
    raw = await openRawPostgres(server.url);
    schemas = schemasInTurn(raw);
  });
  afterAll(async () => {
    await raw.end();
    await bouncer.stop();
    await server.stop();
  });

  async function opened(schema: string, url = bouncer.url): Promise<Storage> {
    const storage = postgresStorage({ url, schema, pool: { max: 5 } });
    await storage.open({ logger: silentLogger });
    return storage;
  }

  storageConformance(
    { describe, it, expect },
    {
      provenElsewhere: ['pageCost', 'walkCost'],
      async create() {
        const schema = schemas.take();
        const proxy = await startPostgresProxy(bouncer.url);
        const storage = await opened(schema, proxy.url);
        return {
          storage,
          another: () => opened(schema),
          inspect: postgresInspection(raw, schema),
          cutOff: async () => proxy.cutOff(),
          loseCommit: async () => proxy.loseCommit({ number: 1, touching: /./ }),
          async destroy() {
            await storage.close();
            await proxy.close();
            await schemas.giveBack(schema);
          },
        };
      },
    },
  );

  it('serves two instances over four connections, which trade as they do without it', async () => {
    const database = await freshDatabase(server.url);
    const through = new URL(bouncer.url);
    through.pathname = new URL(database.url).pathname;
    const instances = [marketOn(through.href), marketOn(through.href)];
    for (const instance of instances) await instance.start();
    const [pm] = instances;
    if (pm === undefined) throw new Error('no instance');
    const markets = await prepareMarkets(pm, CRASH_WALLETS);
    const records = newRecords();
    await Promise.all(
      CRASH_WALLETS.flatMap((_, index) =>
        instances.map(async (instance, number) => {
          for (let count = 0; count < 30; count += 1) {
            const order = orderOf(orderKey(`bounced${number}`, index, count), markets);
            const { id } = await instance.placeTrade(order);
            records.sent.add(order.idempotencyKey);
            records.acknowledged.set(order.idempotencyKey, id);
          }
        }),
      ),
    );
    await repeatAndCheckOrders(pm, records, CRASH_WALLETS, (key) => orderOf(key, markets));
    for (const instance of instances) await instance.close();
    await database.drop();
  });
});
