import { describeWith } from '../support/optional';
import { freshDatabase, startPostgres, type PostgresServer } from '../support/postgres';
import { until } from '../support/until';
import { oracleCrashes } from './oracle-suite';
import {
  createOracleWorld,
  waitForLooks,
  STEP_MS,
  TRADING_MS,
  type OpenedMarket,
  type OracleWorld,
} from './oracle-world';

describeWith('postgres', 'deaths in the resolution of a market on Postgres', () => {
  let server: PostgresServer;
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  beforeAll(async () => {
    server = await startPostgres();
    database = await freshDatabase(server.url);
  });
  oracleCrashes(() => createOracleWorld(database.url), 'every plan', severalInstances);
  afterAll(async () => {
    await database.drop();
    await server.stop();
  });
});

function severalInstances(worldOf: () => OracleWorld): void {
  it('two instances that look for due markets all the time ask slow voters once for each round', async () => {
    const world = worldOf();
    const { voters } = world;
    const markets: OpenedMarket[] = [];
    for (let count = 0; count < 6; count += 1) markets.push(await world.open(['split', 'YES', 'YES']));
    Object.assign(world.settings, { jobIntervalMs: 10, resolutionIntervalMs: 10 });
    const instances = [await world.another(), await world.another()];
    let release = voters.hold();
    await world.pass(TRADING_MS, ...instances, await world.server());
    for (const round of [1, 2, 3]) {
      const allAsked = (): boolean => markets.every(({ id }) => voters.asked(id).length >= round);
      await until(allAsked, { what: `asking for round ${round} of each market` });
      for (const instance of instances) await waitForLooks(instance, 10);
      for (const { id } of markets) expect(voters.asked(id)).toHaveLength(round);
      const releaseRound = release;
      release = voters.hold();
      releaseRound();
    }
    release();
    for (const market of markets)
      await until(async () => (await world.books(market)).facts.includes('market.resolved'), {
        what: 'that the market is resolved and the fact has its number',
      });
    for (const instance of instances) await instance.kill();
    Object.assign(world.settings, { jobIntervalMs: 86_400_000, resolutionIntervalMs: 1_000 });
    for (const market of markets) await world.checkMarket(market);
  });

  it.each([
    ['after ask', 1],
    ['after voted', null],
  ])(
    'one instance stands still %s, another takes over, and the first changes nothing when it goes on',
    async (step, lost) => {
      const world = worldOf();
      const market = await world.open(['YES'], { lost });
      world.settings.jobIntervalMs = 10;
      const paused = await world.another();
      world.settings.jobIntervalMs = 86_400_000;
      await paused.tell({ order: 'pause', at: step });
      const successor = await world.server();
      await world.pass(TRADING_MS, paused, successor);
      await paused.hasPaused();
      await world.pass(STEP_MS, successor);
      await world.checkMarket(market);
      paused.wake();
      await paused.tell({ order: 'run jobs' });
      await paused.kill();
      await world.checkMarket(market);
    },
  );
}
