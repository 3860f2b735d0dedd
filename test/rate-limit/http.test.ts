import type { Response } from 'supertest';
import { memoryStorage } from '../../adapters/storage/memory';
import type { Storage } from '../../src/ports/storage';
import { API, startService, wallet, type Service } from '../http/support/service';
import { describeWith } from '../support/optional';
import { freshPrefix, startRedis, type RedisServer } from '../support/redis';
import { until } from '../support/until';
import { AWAY, createInstance, noting, UP, type Instance } from './support';

const owner = wallet(901);
const WRONG_KEY = `pmk_${'a'.repeat(36)}`;
const THROTTLED = 'Too many failed authentication attempts. Try again later.';

interface Served extends Instance {
  service: Service;
}

describeWith('redis-server', 'the service with Redis', (program) => {
  let redis: RedisServer;
  let prefix: string;
  let served: Served[];

  beforeEach(async () => {
    redis = await startRedis(program);
    prefix = freshPrefix();
    served = [];
  });
  afterEach(async () => {
    for (const { service } of served) await service.close();
    await redis.stop();
  });

  async function serve(storage: Storage, failedAuthLimit = 20, commandTimeoutMs = 10_000): Promise<Served> {
    const { backend, log } = createInstance(redis.url, { prefix, commandTimeoutMs });
    const rateLimit = {
      ...backend,
      start: () => backend.start?.({ logger: noting(log) }) ?? Promise.resolve(),
    };
    const service = await startService({ storage, rateLimit, failedAuthLimit });
    served.push({ service, backend, log });
    return { service, backend, log };
  }

  async function serveTwo(failedAuthLimit?: number): Promise<[Served, Served]> {
    const storage = memoryStorage();
    const first = await serve(storage, failedAuthLimit);
    const second = await serve({ ...storage, open: () => Promise.resolve() }, failedAuthLimit);
    served.reverse();
    return [first, second];
  }

  const isBack = (one: Instance): Promise<void> => until(() => one.log.at(-1) === UP);
  const isAway = (one: Instance): Promise<void> => until(() => one.log.at(-1) === AWAY);
  const markets = (one: Served, key: string, from = '192.0.2.1'): Promise<Response> =>
    one.service.call('get', `${API}/public/markets`, { key, from });

  it('goes on with the window of a key that was regenerated, on the other instance too', async () => {
    const [one, other] = await serveTwo();
    await Promise.all([isBack(one), isBack(other)]);
    const key = await one.service.issueKey(owner);
    for (let count = 0; count < 40; count += 1) expect((await markets(one, key)).status).toBe(200);
    const body = await one.service.signed(owner, 'regenerate', { keyId: 1 });
    const made = await one.service.call('post', `${API}/auth/keys/1/regenerate`, { body, from: '192.0.2.9' });
    const successor = (made.body as { data: { apiKey: string } }).data.apiKey;
    const answer = await markets(other, successor);
    expect([answer.status, answer.headers['x-ratelimit-remaining']]).toEqual([200, '19']);
  });

  it('counts a key over both instances, whichever it asks', async () => {
    const [one, other] = await serveTwo();
    const key = await one.service.issueKey(owner);
    const answers = await Promise.all(
      Array.from({ length: 80 }, (_, index) => markets(index % 2 === 0 ? one : other, key)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(60);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20);
    answers.forEach(expectHeaders);
  });

  it('throttles an address that has failed at any instance', async () => {
    const [one, other] = await serveTwo(4);
    for (const instance of [one, other, one, other]) {
      expect((await markets(instance, WRONG_KEY)).status).toBe(401);
    }
    const refused = await markets(other, WRONG_KEY);
    expect(refused.status).toBe(429);
    expect(refused.body).toMatchObject({ error: THROTTLED });
    expect(refused.headers['retry-after']).toMatch(/^(2\d\d|300)$/);
    expect((await markets(one, WRONG_KEY, '192.0.2.2')).status).toBe(401);
  });

  it('answers through a kill and a restart of Redis, with headers and within the limit', async () => {
    const one = await serve(memoryStorage());
    const key = await one.service.issueKey(owner);
    const send = (count: number): Promise<Response>[] =>
      Array.from({ length: count }, () => markets(one, key));
    const pending = send(15);
    await redis.kill();
    pending.push(...send(15));
    await isAway(one);
    pending.push(...send(15), ...send(1));
    await redis.restart();
    await isBack(one);
    pending.push(...send(30));
    const answers = await Promise.all(pending);
    answers.forEach(expectHeaders);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(60);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(16);
    expect(one.log).toEqual([UP, AWAY, UP]);
  });

  it('answers requests of every kind with the headers while Redis stands still', async () => {
    const one = await serve(memoryStorage(), 20, 150);
    const key = await one.service.issueKey(owner);
    redis.pause();
    const answers = [
      await markets(one, key),
      await markets(one, WRONG_KEY),
      await one.service.call('get', `${API}/public/nothing`, { key }),
      await one.service.call('get', `${API}/creator/status?address=${owner.address}`),
      await one.service.call('post', `${API}/auth/token`, { body: {} }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 404, 200, 400]);
    answers.forEach(expectHeaders);
    redis.resume();
    await isBack(one);
    expectHeaders(await markets(one, key));
  });
});

function expectHeaders(response: Response): void {
  for (const name of ['limit', 'remaining', 'reset']) {
    expect(response.headers[`x-ratelimit-${name}`]).toMatch(/^\d+$/);
  }
  if (response.status === 429) expect(response.headers['retry-after']).toMatch(/^\d+$/);
}
