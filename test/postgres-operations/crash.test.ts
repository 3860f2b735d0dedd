import { orderOf } from '../crash/orders';
import { prepareMarkets } from '../crash/prepare';
import { CRASH_WALLETS } from '../crash/wallets';
import { describeWith } from '../support/optional';
import { freshDatabase, startPostgres, type PostgresServer } from '../support/postgres';
import { checkEvents, marketOn, repeatAndCheckOrders } from './support/books';
import { newRecords, startTrader, type TraderProcess } from './support/trader-process';

const KILLS = 5;
const TRADER = 'test/crash/trader.ts';

describeWith('postgres', 'two traders on one Postgres, killed in turn', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  it(`lose nothing that was acknowledged in ${KILLS} kills, and the keys of unanswered orders tell what became of them`, async () => {
    const database = await freshDatabase(server.url);
    const pm = marketOn(database.url);
    await pm.start();
    const markets = await prepareMarkets(pm, CRASH_WALLETS);
    const records = newRecords();
    const start = (run: string): TraderProcess => startTrader(records, run, TRADER, [database.url, run]);
    let [victim, other] = [start('first'), start('second')];
    try {
      for (let kill = 0; kill < KILLS; kill += 1) {
        await Promise.all([victim.hasAcknowledged(40 + 17 * kill), other.hasAcknowledged(20)]);
        await victim.child.kill();
        await other.hasAcknowledged(other.acknowledged() + 40);
        expect(await pm.audit()).toMatchObject({ ok: true, differences: [] });
        [victim, other] = [other, start(`after${kill}`)];
      }
    } finally {
      await Promise.all([victim.child.kill(), other.child.kill()]);
    }
    const counts = await repeatAndCheckOrders(pm, records, CRASH_WALLETS, (key) => orderOf(key, markets));
    expect(counts.unanswered).toBeGreaterThan(0);
    await checkEvents(database.url, counts.acknowledged + counts.unanswered);
    await pm.close();
    await database.drop();
  }, 120_000);
});
