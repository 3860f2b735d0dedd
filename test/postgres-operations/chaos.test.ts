import { describeWith } from '../support/optional';
import { freshDatabase, startPostgres, type PostgresServer } from '../support/postgres';
import { runChaos } from './support/chaos';

const KILLS = 6;

describeWith('postgres', 'two instances and three traders, one of which is killed again and again', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  it(`keep clean books through ${KILLS} kills`, async () => {
    const database = await freshDatabase(server.url);
    // With this seed, at least two kills hit instances, and at least two hit traders.
    const seed = 5;
    const lines: string[] = [];
    const report = await runChaos({
      databaseUrl: database.url,
      seed,
      goOn: (round) => round < KILLS,
      log: (line) => lines.push(line),
    });
    expect(report.kills.instances).toBeGreaterThanOrEqual(2);
    expect(report.kills.traders).toBeGreaterThanOrEqual(2);
    expect(report.unanswered).toBeGreaterThan(0);
    expect(lines).toHaveLength(KILLS);
    await database.drop();
  }, 120_000);
});
