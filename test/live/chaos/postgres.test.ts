import { describeWith } from '../../support/optional';
import { startPostgres, type PostgresServer } from '../../support/postgres';
import { runLiveChaos } from './chaos';

describeWith('postgres', '60 connections to two instances over one Postgres', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  it('have all messages of 400 trades once and in order, with random cuts and a kill of each instance', async () => {
    const report = await runLiveChaos({
      database: server.url,
      instances: 2,
      clients: 60,
      seconds: 2,
      cutsPerClient: 2,
      kills: 2,
      killAll: false,
      // At this speed the lease of a killed instance ends after one second instead of ten.
      clockSpeed: 10,
      // With this seed one instance is killed, and then the other instance.
      seed: 2,
      log: () => undefined,
    });
    expect([...report.kills].sort()).toEqual([0, 1]);
    expect(report.trades).toBeGreaterThanOrEqual(400);
    expect(report.resumptions).toBeGreaterThan(60);
  });
});
