import { describeWith } from '../support/optional';
import { freshDatabase, openRawPostgres, startPostgres, type PostgresServer } from '../support/postgres';
import { prepareMarkets } from '../crash/prepare';
import { CRASH_WALLETS } from '../crash/wallets';
import { marketOn } from './support/books';

describeWith('postgres', 'a database that only reads', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  it('is SERVICE_UNAVAILABLE for trades, and its connections are given up, so that the new primary is found', async () => {
    const database = await freshDatabase(server.url);
    const raw = await openRawPostgres(database.url);
    const name = new URL(database.url).pathname.slice(1);
    const pm = marketOn(database.url);
    await pm.start();
    const [market = NaN] = await prepareMarkets(pm, CRASH_WALLETS);
    const [wallet = ''] = CRASH_WALLETS;
    const order = { wallet, market, side: 'YES', amount: 1, idempotencyKey: 'failover' } as const;

    await raw.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    await raw.query(
      `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()`,
      [name],
    );
    // The pool may not yet know that its connections have ended.
    for (let call = 0; call < 8; call += 1) await pm.getMarket(market).catch(() => undefined);
    await expect(pm.placeTrade(order)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });

    await raw.query(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
    // `default_transaction_read_only` applies to new sessions only.
    for (let call = 0; call < 8; call += 1) await pm.placeTrade(order).catch(() => undefined);
    await pm.placeTrade(order);
    expect((await pm.listTrades({ market })).total).toBe(1);
    await pm.close();
    await raw.end();
    await database.drop();
  });
});
