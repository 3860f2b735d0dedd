import { postgresStorage } from '../../../adapters/storage/postgres';
import { silentLogger } from '../../../src/ports/logger';
import type { Storage } from '../../../src/ports/storage';
import { describeWith } from '../../support/optional';
import { startPostgres, type PostgresServer } from '../../support/postgres';
import { until } from '../../support/until';
import { createSocketWorld, type SocketWorld } from './support';

describeWith('postgres', 'a client that resumes on an instance that lags behind', () => {
  let postgres: PostgresServer;
  let storages: Storage[];
  let ahead: SocketWorld;
  let behind: SocketWorld;
  beforeAll(async () => {
    postgres = await startPostgres();
    const [own, other] = [1, 2].map(() => postgresStorage({ url: postgres.url, pool: { max: 2 } }));
    if (own === undefined || other === undefined) throw new Error('there are two');
    storages = [own, other];
    ahead = await createSocketWorld({ storage: own });
    await other.open({ logger: silentLogger });
    behind = await createSocketWorld({ shared: ahead, over: () => other });
    // A run of the instance numbers the facts of the markets.
    for (const { instance_ } of [ahead, behind]) await instance_.run();
  });
  afterAll(async () => {
    await Promise.all([ahead.stop(), behind.stop()]);
    for (const storage of storages) await storage.close();
    await postgres.stop();
  });

  it('gets nothing before that instance has read on, and then everything once and in order', async () => {
    const first = await ahead.open();
    await first.subscribe(['trades', 'market:1']);
    await ahead.commit(ahead.trade(1), ahead.trade(2), ahead.trade(1));
    await ahead.instance_.run();
    await until(() => first.events().length === 5);
    const epoch = await ahead.epoch();
    const seq = await ahead.head();
    expect(behind.instance_.feed.position().seq).toBeLessThan(seq - 1);

    // The client has the message of the last trade on one channel only, so the client resumes one fact earlier.
    const resumed = await behind.open();
    const since = { epoch, seq: seq - 1 };
    expect(await resumed.subscribe(['trades', 'market:1'], { since })).toMatchObject({ seq: seq - 1 });
    await resumed.settled();
    expect(resumed.events()).toEqual([]);

    await ahead.commit(ahead.trade(2), ahead.trade(1));
    await ahead.instance_.run();
    await behind.instance_.run();
    await until(() => resumed.events().length === 5);
    expect(resumed.lines()).toEqual([
      `trades ${seq}<null`,
      `market:1 ${seq}<null`,
      `trades ${seq + 1}<${seq}`,
      `trades ${seq + 2}<${seq + 1}`,
      `market:1 ${seq + 2}<${seq}`,
    ]);
  });
});
