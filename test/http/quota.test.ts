import type { Response } from 'supertest';
import { memoryStorage } from '../../adapters/storage/memory';
import { PredictionMarketError } from '../../src/domain/errors';
import type { Storage } from '../../src/ports/storage';
import {
  API,
  createService,
  OPS,
  START,
  startService,
  wallet,
  type CallOptions,
  type Service,
} from './support/service';

const owner = wallet(401);
const WRONG_KEY = `pmk_${'a'.repeat(36)}`;
const THROTTLED = 'Too many failed authentication attempts. Try again later.';

let service: Service;
afterEach(() => service.close());

function figures(response: Response): { limit: number; remaining: number; reset: number } {
  const read = (name: string): number => Number(response.headers[`x-ratelimit-${name}`]);
  return { limit: read('limit'), remaining: read('remaining'), reset: read('reset') };
}

const markets = (options: CallOptions = {}): Promise<Response> =>
  service.call('get', `${API}/public/markets`, options);
const status = (from = '192.0.2.1'): Promise<Response> =>
  service.call('get', `${API}/creator/status?address=${owner.address}`, { from });

describe('the quota of a key', () => {
  beforeEach(async () => {
    service = await startService();
  });

  it('goes on from that of the predecessor when the key was regenerated, however often', async () => {
    let key = await service.issueKey(owner);
    for (let id = 1; id <= 3; id += 1) {
      for (let count = 0; count < 20; count += 1) expect((await markets({ key })).status).toBe(200);
      const body = await service.signed(owner, 'regenerate', { keyId: id });
      const made = await service.call('post', `${API}/auth/keys/${id}/regenerate`, {
        body,
        from: '192.0.2.9',
      });
      expect(made.status).toBe(201);
      key = (made.body as { data: { apiKey: string } }).data.apiKey;
    }
    const refused = await markets({ key });
    expect([refused.status, figures(refused).remaining]).toEqual([429, 0]);
    service.clock.advance(60_000);
    expect(figures(await markets({ key })).remaining).toBe(59);
  });

  it('lets 60 requests in any 60 seconds through', async () => {
    const key = await service.issueKey(owner);
    for (let count = 1; count <= 60; count += 1) {
      const response = await markets({ key });
      expect(response.status).toBe(200);
      expect(figures(response)).toEqual({ limit: 60, remaining: 60 - count, reset: START / 1000 + 60 });
      if (count === 1) service.clock.advance(10_500);
    }
    const refused = await markets({ key });
    expect(refused.status).toBe(429);
    expect(refused.headers['retry-after']).toBe('50');
    expect(figures(refused)).toEqual({ limit: 60, remaining: 0, reset: START / 1000 + 60 });
    expect(refused.body).toEqual({
      error: 'RATE_LIMIT_EXCEEDED',
      code: 'RATE_LIMIT_EXCEEDED',
      message: 'Rate limit exceeded. Max 60 requests per minute.',
      retryAfter: 50,
    });
    service.clock.advance(49_500);
    expect((await markets({ key })).status).toBe(200);
    expect((await markets({ key })).status).toBe(429);
  });

  it("belongs to the key from any address, and follows the operator's setting", async () => {
    const first = await service.issueKey(owner);
    const second = await service.issueKey(owner);
    expect(figures(await markets({ key: first, from: '192.0.2.1' })).remaining).toBe(59);
    expect(figures(await markets({ key: first, from: '192.0.2.2' })).remaining).toBe(58);
    expect(figures(await markets({ key: second })).remaining).toBe(59);
    await service.call('patch', `${OPS}/keys/1`, { body: { rateLimit: 2 } });
    const refused = await markets({ key: first });
    expect(refused.status).toBe(429);
    expect(refused.body).toMatchObject({ message: 'Rate limit exceeded. Max 2 requests per minute.' });
  });

  it('is used on /auth and /creator too when the key is sent', async () => {
    const key = await service.issueKey(owner);
    const sent = { key };
    expect(
      figures(await service.call('get', `${API}/creator/status?address=${owner.address}`, sent)).remaining,
    ).toBe(59);
    expect(
      figures(await service.call('get', `${API}/auth/keys?address=${owner.address}`, sent)).remaining,
    ).toBe(58);
  });
});

describe('the quota of an address', () => {
  it('counts /auth and /creator together, and refuses in the error form of each', async () => {
    service = await startService({ addressRateLimit: 2 });
    expect(figures(await status()).remaining).toBe(1);
    expect(figures(await service.call('get', `${API}/auth/keys?address=${owner.address}`)).remaining).toBe(0);
    const text = 'Rate limit exceeded. Max 2 requests per minute.';
    const creator = await status();
    expect(creator.status).toBe(429);
    expect(creator.body).toMatchObject({ error: 'RATE_LIMIT_EXCEEDED', message: text, retryAfter: 60 });
    const auth = await service.call('get', `${API}/auth/keys?address=${owner.address}`);
    expect(auth.status).toBe(429);
    expect(auth.headers['retry-after']).toBe('60');
    expect(auth.body).toEqual({ success: false, error: text, code: 'RATE_LIMIT_EXCEEDED' });
    expect((await status('192.0.2.2')).status).toBe(200);
  });

  it('takes IPv6 by its /56 and mapped IPv4 as IPv4', async () => {
    service = await startService({ addressRateLimit: 2 });
    expect(figures(await status('2001:db8:1:1100::1')).remaining).toBe(1);
    expect(figures(await status('2001:db8:1:11ff:ffff::2')).remaining).toBe(0);
    expect(figures(await status('2001:db8:1:1200::1')).remaining).toBe(1);
    expect(figures(await status('192.0.2.9')).remaining).toBe(1);
    expect(figures(await status('::ffff:192.0.2.9')).remaining).toBe(0);
  });
});

describe('the rate-limit headers', () => {
  it('are on refusals of every kind', async () => {
    service = await startService();
    const key = await service.issueKey(owner, { scopes: ['markets:read', 'markets:create'] });
    const huge = `"${'x'.repeat(100_001)}"`;
    const seen: [number, Response][] = [
      [401, await markets()],
      [401, await markets({ key: WRONG_KEY })],
      [401, await markets({ key: 'nonsense' })],
      [401, await service.call('get', `${API}/public/nothing`)],
      [404, await service.call('get', `${API}/public/nothing`, { key })],
      [404, await service.call('get', `${API}/public/markets/77`, { key })],
      [404, await service.call('get', `${API}/auth/nothing`)],
      [404, await service.call('put', `${API}/creator/status`)],
      [403, await service.call('get', `${API}/public/balance`, { key })],
      [400, await service.call('get', `${API}/public/markets?limit=0`, { key })],
      [400, await service.call('get', `${API}/public/markets/%zz`, { key })],
      [413, await service.call('post', `${API}/public/markets`, { key, body: huge })],
      [413, await service.call('post', `${API}/auth/token`, { body: huge })],
      [
        415,
        await service.call('post', `${API}/auth/token`, {
          body: 'x',
          headers: { 'Content-Type': 'text/plain' },
        }),
      ],
      [204, await service.call('options', `${API}/public/markets`)],
    ];
    for (const [expected, response] of seen) {
      expect(response.status).toBe(expected);
      expect(figures(response).limit).toBe(60);
      expect(figures(response).remaining).toBeLessThan(60);
      expect(figures(response).reset).toBe(START / 1000 + 60);
    }
  });

  it('are missing from the documents', async () => {
    service = await startService();
    for (const path of [
      '/health',
      '/ready',
      '/openapi.json',
      '/docs',
      '/asyncapi.json',
      '/docs/live',
      '/nothing',
    ]) {
      const response = await service.call('get', API + path);
      expect(response.headers['x-ratelimit-limit']).toBeUndefined();
    }
  });
});

describe('before the start and while the storage is away,', () => {
  it('a request gets a 503 with headers, and no quota counts it', async () => {
    service = await createService({ addressRateLimit: 3 });
    for (let round = 0; round < 5; round += 1) {
      const response = await markets({ key: WRONG_KEY });
      expect(response.status).toBe(503);
      expect(response.headers['retry-after']).toBe('1');
      expect(figures(response)).toMatchObject({ limit: 3, remaining: 3 });
      expect(response.body).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    }
    const auth = await service.call('post', `${API}/auth/challenge`, { body: {} });
    expect(auth.status).toBe(503);
    expect(auth.body).toMatchObject({ success: false, code: 'SERVICE_UNAVAILABLE' });
    expect((await service.call('get', `${OPS}/audit`)).status).toBe(503);
    expect((await service.call('get', `${API}/health`)).status).toBe(200);
    expect((await service.call('get', `${API}/ready`)).body).toMatchObject({ status: 'unavailable' });
    expect(await service.pm.isReady()).toBe(false);
  });

  it('an answer shows nothing of what a driver said', async () => {
    const storage = memoryStorage();
    let away = false;
    const flaky: Storage = {
      ...storage,
      read: (work) => (away ? Promise.reject(driverError()) : storage.read(work)),
      ping: () => (away ? Promise.reject(driverError()) : storage.ping()),
    };
    service = await startService({ storage: flaky });
    const key = await service.issueKey(owner);
    away = true;
    const response = await markets({ key });
    expect(response.status).toBe(503);
    expect(response.text).not.toContain('secret');
    expect(figures(response).limit).toBe(60);
    // An unreachable storage is an expected failure, which leaves one line without a stack in the log.
    expect(failedRequests()).toEqual([]);
    expect(service.warnings).toContainEqual({
      message: 'request refused',
      code: 'SERVICE_UNAVAILABLE',
      status: 503,
      method: 'GET',
      path: `${API}/public/markets`,
      reason: 'secret of the driver',
    });
    expect(await service.pm.isReady()).toBe(false);
    const ready = await service.call('get', `${API}/ready`);
    expect(ready.status).toBe(503);
    expect(ready.body).toMatchObject({ checks: { started: true, storage: false } });
    for (const refused of [await markets(), await markets({ key: 'nonsense' })])
      expect(refused.status).toBe(401);
    expect((await service.call('get', `${API}/x402/feed`)).status).toBe(402);
    away = false;
    expect((await markets({ key })).status).toBe(200);
  });

  it('a fault is a 500 without a word about it', async () => {
    const storage = memoryStorage();
    let isBroken = false;
    const broken: Storage = {
      ...storage,
      read: (work) => (isBroken ? Promise.reject(new Error('secret of the driver')) : storage.read(work)),
    };
    service = await startService({ storage: broken });
    const key = await service.issueKey(owner);
    isBroken = true;
    const response = await markets({ key });
    expect(response.status).toBe(500);
    expect(response.text).not.toContain('secret');
    expect(response.text).not.toContain('    at ');
    expect(response.body).toMatchObject({ code: 'INTERNAL_ERROR' });
    expect(failedRequests()).toHaveLength(1);
  });
});

describe('the throttle of failed authentications', () => {
  it('stops an address after 20 wrong keys, for all its requests without a valid key', async () => {
    service = await startService();
    const key = await service.issueKey(owner);
    for (let count = 0; count < 20; count += 1) {
      expect((await markets({ key: count % 2 === 0 ? WRONG_KEY : 'nonsense' })).status).toBe(401);
    }
    const refused = await markets({ key: WRONG_KEY });
    expect(refused.status).toBe(429);
    expect(refused.headers['retry-after']).toBe('300');
    expect(refused.body).toMatchObject({ error: THROTTLED, message: THROTTLED, code: 'RATE_LIMIT_EXCEEDED' });
    expect((await status()).body).toMatchObject({ error: THROTTLED });
    const auth = await service.call('post', `${API}/auth/token`, { body: {} });
    expect(auth.status).toBe(429);
    expect(auth.body).toEqual({ success: false, error: THROTTLED, code: 'RATE_LIMIT_EXCEEDED' });
    expect(figures(auth).limit).toBe(60);
    expect((await service.call('get', `${API}/stream?channels=markets`)).status).toBe(429);
    for (const path of ['x402/info', 'openapi.json', 'health', 'ready'])
      expect([path, (await service.call('get', `${API}/${path}`)).status]).toEqual([path, 200]);
    expect((await service.call('get', `${API}/x402/feed`)).status).toBe(402);
    expect((await markets({ key })).status).toBe(200);
    expect((await status('192.0.2.2')).status).toBe(200);
    service.clock.advance(300_000);
    expect((await status()).status).toBe(200);
  });

  it('counts wrong signatures, and does not look at one afterwards', async () => {
    service = await startService({ failedAuthLimit: 3, addressRateLimit: 100 });
    for (let count = 0; count < 3; count += 1) {
      const body = { ...(await service.signed(owner, 'issue')), signature: '0x12' };
      expect((await service.call('post', `${API}/auth/token`, { body })).status).toBe(401);
    }
    const body = await service.signed(owner, 'issue');
    expect((await service.call('post', `${API}/auth/token`, { body })).status).toBe(429);
    expect((await service.call('post', `${API}/auth/token`, { body, from: '192.0.2.2' })).status).toBe(201);
  });

  it('does not count requests without a credential, nor other refusals', async () => {
    service = await startService({ failedAuthLimit: 2, addressRateLimit: 1000 });
    for (let count = 0; count < 10; count += 1) {
      expect((await markets()).status).toBe(401);
      expect((await service.call('post', `${API}/auth/token`, { body: {} })).status).toBe(400);
    }
    expect((await status()).status).toBe(200);
  });
});

function failedRequests(): unknown[] {
  return service.errors.filter((error) => error.message === 'request failed');
}

function driverError(): PredictionMarketError {
  return new PredictionMarketError('SERVICE_UNAVAILABLE', 'secret of the driver', { retryAfterSeconds: 2 });
}
