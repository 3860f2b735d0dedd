import express from 'express';
import request from 'supertest';
import { manualOracle } from '../../adapters/oracle/manual';
import { memoryStorage } from '../../adapters/storage/memory';
import { createPredictionMarket, type PredictionMarket } from '../../src/create-prediction-market';
import type { Logger } from '../../src/ports/logger';
import type { Storage } from '../../src/ports/storage';
import { fakeFacilitator } from '../../testing/fake-facilitator';
import { testClock } from '../../testing/test-clock';

const throwing = (): never => {
  throw new Error('the logger threw');
};
const logger: Logger = { debug: throwing, info: throwing, warn: throwing, error: throwing };

function fragileStorage() {
  const inner = memoryStorage();
  const state = { isAway: false };
  const storage: Storage = {
    ...inner,
    transaction: async (work, options) => {
      if (state.isAway) throw new Error('the storage is away');
      return inner.transaction(work, options);
    },
  };
  return { storage, state };
}

const open: PredictionMarket[] = [];

function setUp() {
  const { storage, state } = fragileStorage();
  const pm = createPredictionMarket({
    ...{ storage, logger, clock: testClock() },
    oracle: manualOracle(),
    facilitator: fakeFacilitator(),
    payTo: '0x000000000000000000000000000000000000dEaD',
  });
  open.push(pm);
  return { pm, state, app: express().use(pm.router) };
}

describe('with a logger that throws at every line,', () => {
  afterEach(async () => {
    await Promise.all(open.splice(0).map((pm) => pm.close()));
  });

  it('a request before the start is answered 503, and one after it as always', async () => {
    const { pm, app } = setUp();
    expect((await request(app).get('/api/v2/public/markets')).status).toBe(503);
    await pm.start({ jobs: false });
    expect((await request(app).get('/api/v2/public/markets')).status).toBe(401);
  });

  it('a job fails with its own error, and does its work when the storage is back', async () => {
    const { pm, state } = setUp();
    await pm.start({ jobs: false });
    state.isAway = true;
    await expect(pm.runJobs()).rejects.toThrow('the storage is away');
    state.isAway = false;
    await pm.runJobs();
  });

  it('a listener that throws does not keep the event from the others', async () => {
    const { pm } = setUp();
    const seen: string[] = [];
    pm.events.on('account.balance', throwing);
    pm.events.on('account.balance', ({ data }) => seen.push(data.reason));
    await pm.start({ jobs: false });
    await pm.deposit({ address: `0x${'1'.repeat(40)}`, amount: 1, reference: 'a' });
    await pm.runJobs();
    expect(seen).toEqual(['deposit']);
  });
});
