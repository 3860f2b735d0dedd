import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runLiveChaos } from './chaos';

describe('100 connections to an instance over SQLite', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'prediction-market-live-chaos-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('have all messages of 600 trades once and in order, with random cuts and a kill of the instance', async () => {
    const report = await runLiveChaos({
      database: join(folder, 'markets.db'),
      instances: 1,
      clients: 100,
      seconds: 3,
      cutsPerClient: 2,
      kills: 1,
      killAll: false,
      clockSpeed: 1,
      seed: 11,
      log: () => undefined,
    });
    expect(report.kills).toEqual([0]);
    expect(report.trades).toBeGreaterThanOrEqual(600);
    expect(report.resumptions).toBeGreaterThan(100);
  });
});
