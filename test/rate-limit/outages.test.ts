import type { RollingWindow } from '../../src/ports/rate-limit';
import { describeWith } from '../support/optional';
import { startRedis, type RedisServer } from '../support/redis';
import { until } from '../support/until';
import { AWAY, closeAll, createInstance, NOW, startInstance, UP, WINDOW_MS, type Instance } from './support';

const PREFIX = 'outages:';

describeWith('redis-server', 'when Redis is', (program) => {
  let redis: RedisServer;
  let instances: Instance[];

  beforeEach(async () => {
    redis = await startRedis(program);
    instances = [];
  });
  afterEach(async () => {
    await closeAll(instances);
    await redis.stop();
  });

  async function instance(commandTimeoutMs?: number): Promise<Instance & { window: RollingWindow }> {
    const patience = commandTimeoutMs === undefined ? {} : { commandTimeoutMs };
    const started = await startInstance(redis.url, { prefix: PREFIX, ...patience });
    instances.push(started);
    return { ...started, window: started.backend.window(WINDOW_MS) };
  }

  const isBack = (one: Instance): Promise<void> => until(() => one.log.at(-1) === UP);
  const isAway = (one: Instance): Promise<void> => until(() => one.log.at(-1) === AWAY);

  it('killed, each instance goes on counting what it had let in itself, and shares again afterwards', async () => {
    const [one, other] = [await instance(), await instance()];
    for (let count = 0; count < 3; count += 1) await one.window.hit('a', 5, NOW);
    await other.window.hit('a', 5, NOW);
    await redis.kill();
    await Promise.all([isAway(one), isAway(other)]);
    expect(await one.window.hit('a', 5, NOW)).toEqual({
      allowed: true,
      remaining: 1,
      resetAt: NOW + WINDOW_MS,
    });
    expect(await other.window.peek('a', 5, NOW)).toMatchObject({ remaining: 4 });
    await redis.restart();
    await Promise.all([isBack(one), isBack(other)]);
    // Redis has lost its data, but each instance remembers its own requests and applies the limit to them.
    expect(await one.window.hit('a', 5, NOW)).toMatchObject({ allowed: true, remaining: 0 });
    expect(await one.window.hit('a', 5, NOW)).toMatchObject({ allowed: false });
    expect(await other.window.hit('b', 5, NOW)).toMatchObject({ remaining: 4 });
    expect(await one.window.hit('b', 5, NOW)).toMatchObject({ remaining: 3 });
    expect([one.log, other.log]).toEqual([
      [UP, AWAY, UP],
      [UP, AWAY, UP],
    ]);
  });

  it('killed under load, every call is answered, and no instance lets more than the limit in', async () => {
    const one = await instance();
    const hits = Array.from({ length: 500 }, async () => one.window.hit('a', 60, NOW));
    await redis.kill();
    hits.push(...Array.from({ length: 500 }, async () => one.window.hit('a', 60, NOW)));
    await redis.restart();
    await isBack(one);
    hits.push(...Array.from({ length: 500 }, async () => one.window.hit('a', 60, NOW)));
    const allowed = (await Promise.all(hits)).filter((decision) => decision.allowed);
    expect(allowed).toHaveLength(60);
  });

  it('stopped, requests go on, and use Redis again when it goes on', async () => {
    const one = await instance(150);
    for (let round = 0; round < 3; round += 1) {
      await isBack(one);
      redis.pause();
      const hits = Array.from({ length: 100 }, async () => one.window.hit(`round ${String(round)}`, 60, NOW));
      const allowed = (await Promise.all(hits)).filter((decision) => decision.allowed);
      expect(allowed).toHaveLength(60);
      redis.resume();
    }
    await isBack(one);
    expect(await one.window.hit('later', 60, NOW)).toMatchObject({ allowed: true, remaining: 59 });
  });

  it('stopped, only the first request waits, and the probes cost requests nothing', async () => {
    const one = await instance(150);
    redis.pause();
    await one.window.hit('a', 1_000, NOW);
    for (let count = 2; count <= 500; count += 1) {
      expect((await one.window.hit('a', 1_000, NOW)).remaining).toBe(1_000 - count);
    }
    expect(one.log).toEqual([UP, AWAY]);
    redis.resume();
    await isBack(one);
  });

  it('stopped for good, closing leaves nothing that keeps the process', async () => {
    const sockets = (): number =>
      process.getActiveResourcesInfo().filter((name) => name.startsWith('TCPSocket')).length;
    // Other test files in this process may have left connections that end later.
    const before = sockets();
    const one = await instance(150);
    redis.pause();
    await one.window.hit('a', 1, NOW);
    await closeAll([one]);
    await until(() => sockets() <= before);
    redis.resume();
  });

  it('emptied, an instance does not forget what it has let in', async () => {
    const one = await instance();
    for (let count = 0; count < 3; count += 1) await one.window.hit('a', 3, NOW);
    await redis.command('FLUSHALL');
    expect(await one.window.hit('a', 3, NOW)).toEqual({
      allowed: false,
      remaining: 0,
      resetAt: NOW + WINDOW_MS,
    });
    const other = await instance();
    expect(await other.window.hit('a', 3, NOW)).toMatchObject({ allowed: true, remaining: 2 });
    expect(one.log).toEqual([UP]);
  });

  it('away at the start, the service starts, counts by itself, and finds Redis later', async () => {
    await redis.kill();
    const one = createInstance(redis.url, { prefix: PREFIX });
    instances.push(one);
    const window = one.backend.window(WINDOW_MS);
    expect(await window.hit('a', 2, NOW)).toMatchObject({ allowed: true, remaining: 1 });
    await one.start();
    expect(one.log).toEqual([AWAY]);
    expect(await window.hit('a', 2, NOW)).toMatchObject({ allowed: true, remaining: 0 });
    await redis.restart();
    await isBack(one);
    expect(await window.hit('b', 2, NOW)).toMatchObject({ allowed: true, remaining: 1 });
  });

  it('read-only, it is as good as away', async () => {
    const one = await instance();
    await redis.command('REPLICAOF', '127.0.0.1', '1');
    expect(await one.window.hit('b', 2, NOW)).toMatchObject({ allowed: true, remaining: 1 });
    expect(one.log).toEqual([UP, AWAY]);
    await redis.command('REPLICAOF', 'NO', 'ONE');
    await isBack(one);
  });

  it('away, failed authentications are counted all the same', async () => {
    const one = await instance();
    const failures = one.backend.failures(300_000);
    await failures.record('192.0.2.1', NOW);
    await redis.kill();
    await failures.record('192.0.2.1', NOW);
    expect(await failures.count('192.0.2.1', NOW)).toMatchObject({ failures: 2 });
    await redis.restart();
    await isBack(one);
    await failures.record('192.0.2.1', NOW);
    expect(await failures.count('192.0.2.1', NOW)).toMatchObject({ failures: 3 });
  });
});

describeWith('redis-server', 'with a Redis that asks for a password', (program) => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis(program, ['--requirepass', 'open-sesame']);
  });
  afterAll(() => redis.stop());

  it.each([
    ['the right one', ':open-sesame@', [UP]],
    ['a wrong one', ':open-simsim@', [AWAY]],
    ['none', '', [AWAY]],
  ])('%s', async (_what, credentials, log) => {
    const one = await startInstance(redis.url.replace('//', `//${credentials}`), { prefix: PREFIX });
    expect(await one.backend.window(WINDOW_MS).hit('a', 5, NOW)).toMatchObject({ allowed: true });
    expect(one.log).toEqual(log);
    await closeAll([one]);
  });
});
