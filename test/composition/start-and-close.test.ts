import express from 'express';
import request from 'supertest';
import { memoryStorage } from '../../adapters/storage/memory';
import { sqliteStorage } from '../../adapters/storage/sqlite';
import { manualOracle } from '../../adapters/oracle/manual';
import { createPredictionMarket, type PredictionMarket } from '../../src/create-prediction-market';
import type { PredictionMarketOptions } from '../../src/prediction-market-options';
import type { RateLimitBackend } from '../../src/ports/rate-limit';
import type { Storage } from '../../src/ports/storage';
import { memoryRateLimit } from '../../src/rate-limit/memory';
import { fakeFacilitator } from '../../testing/fake-facilitator';
import { testClock } from '../../testing/test-clock';
import { createGate } from '../support/gate';

const PAYEE = '0x000000000000000000000000000000000000dEaD';

function create(options: Partial<PredictionMarketOptions> = {}): PredictionMarket {
  return createPredictionMarket({
    storage: memoryStorage(),
    oracle: manualOracle(),
    facilitator: fakeFacilitator(),
    payTo: PAYEE,
    ...options,
  });
}

interface Watched {
  storage: Storage;
  calls: string[];
  release(): void;
}

function slowStorage(): Watched {
  const inner = memoryStorage();
  const calls: string[] = [];
  const { opened, open: release } = createGate();
  const storage: Storage = {
    ...inner,
    async open(options) {
      await opened;
      await inner.open(options);
      calls.push('open');
    },
    async close() {
      await inner.close();
      calls.push('close');
    },
  };
  return { storage, calls, release };
}

describe('close() while start() is under way', () => {
  it('closes what start() has opened, and nothing runs afterwards', async () => {
    const { storage, calls, release } = slowStorage();
    const pm = create({ storage });
    const starting = pm.start();
    const closing = pm.close();
    release();
    await Promise.all([starting.catch(() => undefined), closing]);
    expect(calls).toEqual(['open', 'close']);
    await expect(pm.audit()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await expect(starting).rejects.toThrow('closed while it was starting');
  });

  it('ends too when start() fails', async () => {
    const failing: Storage = { ...memoryStorage(), open: () => Promise.reject(new Error('no such disk')) };
    const pm = create({ storage: failing });
    const starting = pm.start();
    const closing = pm.close();
    await expect(starting).rejects.toThrow('no such disk');
    await expect(closing).resolves.toBeUndefined();
  });
});

describe('a request before start()', () => {
  it('is answered 503, and the first one is logged: the call may have been forgotten', async () => {
    const logged: string[] = [];
    const note = (_: object, message: string): void => void logged.push(message);
    const logger = { debug: () => undefined, info: () => undefined, warn: note, error: note };
    const pm = create({ logger });
    const app = express().use(pm.router);
    const ask = () => request(app).get('/api/v2/x402/feed').expect(503);
    await ask();
    await ask();
    const told = (line: string): boolean => line.includes('Is `await pm.start()` missing?');
    expect(logged.filter(told)).toHaveLength(1);
    await pm.start();
    await pm.close();
    await ask();
    expect(logged.filter(told)).toHaveLength(1);
  });
});

describe('start({ jobs: false })', () => {
  it('answers calls and runs no job until runJobs is called', async () => {
    const clock = testClock();
    const pm = create({ clock });
    await pm.start({ jobs: false });
    await pm.approveCreator({ address: PAYEE });
    const { id } = await pm.createMarket({
      creator: PAYEE,
      question: 'Will it rain?',
      resolutionCriteria: 'The gauge is wet.',
      resolveDate: new Date(clock.now() + 3_600_000).toISOString(),
      category: 'other',
    });
    clock.advance(7_200_000);
    await new Promise(setImmediate);
    expect((await pm.getMarket(id)).status).toBe('resolving');
    expect((await pm.listResolutions()).total).toBe(0);
    await pm.runJobs();
    expect((await pm.listResolutions()).total).toBe(1);
    await pm.close();
  });

  it('refuses options that it does not know', async () => {
    const pm = create();
    const wrong: object = { job: false };
    await expect(pm.start(wrong)).rejects.toThrow(/^start: .*job/);
    await pm.start();
    await pm.close();
  });
});

describe('a start that has failed', () => {
  it('can be tried again', async () => {
    let failures = 1;
    const rateLimit: RateLimitBackend = {
      ...memoryRateLimit(),
      start: () => (failures-- > 0 ? Promise.reject(new Error('not yet')) : Promise.resolve()),
    };
    const pm = create({ storage: sqliteStorage({ file: ':memory:' }), rateLimit });
    await expect(pm.start()).rejects.toThrow('not yet');
    await pm.start();
    await expect(pm.audit()).resolves.toMatchObject({ ok: true });
    await pm.close();
  });

  it('leaves nothing open after close()', async () => {
    const { storage, calls, release } = slowStorage();
    release();
    const rateLimit: RateLimitBackend = {
      ...memoryRateLimit(),
      start: () => Promise.reject(new Error('not yet')),
    };
    const pm = create({ storage, rateLimit });
    await expect(pm.start()).rejects.toThrow('not yet');
    await pm.close();
    expect(calls).toEqual(['open', 'close']);
  });
});

describe('close()', () => {
  it('closes the storage although the rate limit fails to close', async () => {
    const { storage, calls, release } = slowStorage();
    release();
    const rateLimit: RateLimitBackend = {
      ...memoryRateLimit(),
      close: () => Promise.reject(new Error('stuck')),
    };
    const pm = create({ storage, rateLimit });
    await pm.start();
    await expect(pm.close()).rejects.toThrow('stuck');
    expect(calls).toEqual(['open', 'close']);
  });
});
