import type { FailureCounter } from '../../src/ports/rate-limit';
import { describeWith } from '../support/optional';
import { freshPrefix, openRedis, type SharedRedis } from '../support/redis';
import { until } from '../support/until';
import { closeAll, NOW, startInstance, type Instance } from './support';

const FIVE_MINUTES_MS = 300_000;

describeWith('redis', 'the failure counter in Redis', (location) => {
  let redis: SharedRedis;
  let instances: [Instance, Instance];
  let prefix: string;

  beforeAll(async () => {
    redis = await openRedis(location);
  });
  afterAll(() => redis.stop());
  beforeEach(async () => {
    prefix = freshPrefix();
    instances = [await startInstance(redis.url, { prefix }), await startInstance(redis.url, { prefix })];
  });
  afterEach(() => closeAll(instances));

  const counters = (windowMs: number): [FailureCounter, FailureCounter] => [
    instances[0].backend.failures(windowMs),
    instances[1].backend.failures(windowMs),
  ];

  it('knows of no failure at first', async () => {
    const [one] = counters(FIVE_MINUTES_MS);
    expect(await one.count('192.0.2.1', NOW)).toEqual({ failures: 0, resetAt: NOW });
  });

  it('counts what any instance has seen, for each address', async () => {
    const [one, other] = counters(FIVE_MINUTES_MS);
    await Promise.all(Array.from({ length: 7 }, async () => one.record('192.0.2.1', NOW)));
    for (let count = 0; count < 5; count += 1) await other.record('192.0.2.1', NOW);
    await other.record('192.0.2.2', NOW);
    expect(await one.count('192.0.2.1', NOW)).toMatchObject({ failures: 12 });
    expect(await other.count('192.0.2.1', NOW)).toMatchObject({ failures: 12 });
    expect(await one.count('192.0.2.2', NOW)).toMatchObject({ failures: 1 });
  });

  it("tells the end by the caller's clock", async () => {
    const [one, other] = counters(FIVE_MINUTES_MS);
    await one.record('192.0.2.1', NOW);
    const { resetAt } = await other.count('192.0.2.1', NOW);
    expect(resetAt).toBeGreaterThan(NOW + FIVE_MINUTES_MS - 30_000);
    expect(resetAt).toBeLessThanOrEqual(NOW + FIVE_MINUTES_MS + 5);
  });

  it('forgets when the window of the first failure ends', async () => {
    const [one, other] = counters(200);
    await one.record('192.0.2.1', NOW);
    await until(async () => (await other.count('192.0.2.1', NOW)).failures === 0);
  });

  it('pardons no address when Redis has lost its keys', async () => {
    const [one, other] = counters(FIVE_MINUTES_MS);
    for (let count = 0; count < 3; count += 1) await one.record('192.0.2.1', NOW);
    await redis.command('DEL', `${prefix}failures:${String(FIVE_MINUTES_MS)}:192.0.2.1`);
    expect(await one.count('192.0.2.1', NOW)).toEqual({ failures: 3, resetAt: NOW + FIVE_MINUTES_MS });
    expect(await other.count('192.0.2.1', NOW)).toMatchObject({ failures: 0 });
  });

  it('loads its scripts again into a server that has forgotten them', async () => {
    const [one, other] = counters(FIVE_MINUTES_MS);
    await one.record('192.0.2.1', NOW);
    await redis.command('SCRIPT', 'FLUSH');
    await one.record('192.0.2.1', NOW);
    expect(await other.count('192.0.2.1', NOW)).toMatchObject({ failures: 2 });
    expect([instances[0].log.length, instances[1].log.length]).toEqual([1, 1]);
  });
});
