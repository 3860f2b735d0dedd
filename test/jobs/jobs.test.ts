import { createJobs, type Jobs, type RelayTask } from '../../src/jobs';
import { LEASE_MS } from '../../src/usecases/run-due-markets';
import { closedMarket, createWorld, HOUR, type World } from '../usecases/life-world';
import { manualTimers, quiet, type ManualTimers } from './manual-timers';

interface Setup {
  jobs: Jobs;
  timers: ManualTimers;
  relayed: () => number;
  wakeRelay: () => void;
}

function setUp(world: World, relayRun: () => Promise<boolean> = async () => false): Setup {
  const timers = manualTimers();
  let relayed = 0;
  let wakeRelay = (): void => undefined;
  const relay: RelayTask = {
    run: () => {
      relayed += 1;
      return relayRun();
    },
    onWake: (listener) => {
      wakeRelay = listener;
    },
  };
  const jobs = createJobs(world.context, relay, { reconcile: async () => false }, timers);
  return { jobs, timers, relayed: () => relayed, wakeRelay: () => wakeRelay() };
}

describe('the jobs', () => {
  it('handle due markets, payments and withdrawals, relay events and prune when started, each in its interval', async () => {
    const { world, id } = await closedMarket();
    world.oracle.answer('YES');
    const { jobs, timers, relayed } = setUp(world);
    jobs.start();
    await quiet();
    expect((await world.market(id)).status).toBe('resolved');
    expect(relayed()).toBe(1);
    expect(timers.delays()).toEqual([1_000, 5_000, 5_000, 5_000, 60_000]);
    await jobs.stop();
    expect(timers.delays()).toEqual([]);
  });

  it('are woken by hints', async () => {
    const { world, id } = await closedMarket();
    const { jobs, relayed, wakeRelay } = setUp(world);
    jobs.start();
    await quiet();
    world.clock.advance(HOUR);
    world.oracle.answer('NO');
    jobs.wake();
    wakeRelay();
    await quiet();
    expect((await world.market(id)).resolution?.outcome).toBe('NO');
    expect(relayed()).toBe(2);
    await jobs.stop();
  });

  it('run everything on demand, from closing to payout, answers included', async () => {
    const world = await createWorld();
    for (let made = 0; made < 70; made += 1) await world.open(`Question ${made}?`);
    world.clock.advance(HOUR);
    world.oracle.answer('YES');
    const { jobs, relayed } = setUp(world);
    await jobs.runOnce();
    expect(await world.statuses()).toEqual({ resolved: { markets: 70, exposure: 0n } });
    expect(relayed()).toBe(1);
  });

  it('put at most 64 markets to the oracle at once', async () => {
    const world = await createWorld();
    for (let made = 0; made < 70; made += 1) await world.open(`Question ${made}?`);
    world.clock.advance(HOUR);
    world.oracle.answer('YES');
    const release = world.oracle.hold();
    const { jobs } = setUp(world);
    jobs.start();
    await quiet();
    expect(world.oracle.questions).toHaveLength(64);
    release();
    await quiet();
    expect(await world.statuses()).toEqual({ resolved: { markets: 70, exposure: 0n } });
    await jobs.stop();
  });

  it('stop without waiting for an oracle that does not answer', async () => {
    const { world, id } = await closedMarket();
    world.oracle.hold();
    const { jobs } = setUp(world);
    jobs.start();
    await quiet();
    await jobs.stop();
    expect(await world.market(id)).toMatchObject({ oracleAttempts: 0, dueAt: world.clock.now() + LEASE_MS });
  });

  it('emit the last events when they stop', async () => {
    const world = await createWorld();
    const { jobs, relayed } = setUp(world);
    await jobs.stop();
    expect(relayed()).toBe(1);
  });

  it('report the first failure on demand, after all have had their turn', async () => {
    const { world, id } = await closedMarket();
    world.oracle.answer('YES');
    const failing = setUp(world, () => Promise.reject(new Error('no relay')));
    await expect(failing.jobs.runOnce()).rejects.toThrow('no relay');
    expect((await world.market(id)).status).toBe('resolved');
  });

  it('are unhealthy after three failures in a row, and while one hangs', async () => {
    const world = await createWorld();
    const failing = setUp(world, () => Promise.reject(new Error('no relay')));
    for (let failures = 0; failures < 3; failures += 1) {
      expect(failing.jobs.health().ok).toBe(true);
      await expect(failing.jobs.runOnce()).rejects.toThrow();
    }
    expect(failing.jobs.health()).toMatchObject({ ok: false });
    expect(failing.jobs.health().jobs.map(({ name, failures }) => [name, failures])).toEqual([
      ['due-markets', 0],
      ['event-relay', 3],
      ['prune-expired', 0],
      ['payments', 0],
      ['withdrawals', 0],
    ]);
    const hanging = setUp(world, () => new Promise(() => undefined));
    hanging.jobs.start();
    await quiet();
    world.clock.advance(120_000);
    expect(hanging.jobs.health().ok).toBe(true);
    world.clock.advance(1);
    expect(hanging.jobs.health().ok).toBe(false);
  });
});
