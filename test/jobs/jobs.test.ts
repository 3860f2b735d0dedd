import type { Oracle } from '../../src/ports/oracle';
import { createJobs, type Jobs, type RelayTask } from '../../src/jobs';
import { closedMarket, createWorld, HOUR, type World } from '../usecases/resolution/world';
import { manualTimers, quiet, type ManualTimers } from './manual-timers';
import { noWebhooks } from './no-webhooks';

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
    pollMs: () => 1_000,
    onWake: (listener) => {
      wakeRelay = listener;
    },
  };
  const jobs = createJobs(world.context, relay, { reconcile: async () => false }, noWebhooks, timers);
  return { jobs, timers, relayed: () => relayed, wakeRelay: () => wakeRelay() };
}

describe('the jobs, when the clock jumps,', () => {
  /** `advance` moves the test clock and the monotonic clock, as time does. A jump moves only the test clock. */
  async function worldWithMonotonicClock() {
    const made = await createWorld();
    let elapsed = 0;
    const clock = { now: () => made.clock.now(), monotonic: () => elapsed };
    const advance = (milliseconds: number): void => {
      made.clock.advance(milliseconds);
      elapsed += milliseconds;
    };
    return { world: { ...made, context: { ...made.context, clock } }, advance };
  }
  const JUMPED = 'the clock jumped: trades, closing and expiry wait for one more look';

  it('close nothing until one more look, and nothing at all when the clock has gone back by then', async () => {
    const { world, advance } = await worldWithMonotonicClock();
    const id = await world.open();
    const { jobs } = setUp(world);
    await jobs.runOnce();
    world.clock.advance(HOUR);
    await jobs.runOnce();
    await jobs.runOnce();
    expect((await world.market(id)).status).toBe('open');
    expect(world.logged).toEqual([JUMPED]);
    world.clock.advance(-HOUR);
    advance(6_000);
    await jobs.runOnce();
    advance(6_000);
    await jobs.runOnce();
    expect((await world.market(id)).status).toBe('open');
  });

  it('close at the next look when the clock stays where it jumped to, and look again soon', async () => {
    const { world, advance } = await worldWithMonotonicClock();
    const id = await world.open();
    world.context.config.jobIntervalMs = HOUR;
    const { jobs, timers } = setUp(world);
    jobs.start();
    await quiet();
    world.clock.advance(HOUR);
    jobs.wake();
    await quiet();
    expect((await world.market(id)).status).toBe('open');
    expect(timers.delays()).toEqual([1_000, 1_000, 5_000, 60_000, 60_000, HOUR, HOUR, HOUR]);
    advance(5_000);
    await timers.fire(5_000);
    expect((await world.market(id)).status).not.toBe('open');
    expect(world.logged).toEqual([JUMPED]);
    await jobs.stop();
    expect(timers.delays()).toEqual([]);
  });

  it('go on when time merely passes, or when the clock is set by a little', async () => {
    const { world, advance } = await worldWithMonotonicClock();
    const id = await world.open();
    const { jobs } = setUp(world);
    await jobs.runOnce();
    advance(HOUR);
    world.clock.advance(59_000);
    await jobs.runOnce();
    expect((await world.market(id)).status).not.toBe('open');
    expect(world.logged).toEqual([]);
  });

  it('remove nothing as expired until one more look', async () => {
    const { world, advance } = await worldWithMonotonicClock();
    await world.open();
    await world.open();
    const creations = async () => {
      const events = await world.storage.read((reader) => reader.events.after(0, 10));
      return events.filter(({ kind }) => kind === 'market.created').length;
    };
    const { jobs } = setUp(world);
    await jobs.runOnce();
    world.clock.advance(30 * 24 * HOUR);
    await jobs.runOnce();
    expect(await creations()).toBe(2);
    advance(5_000);
    await jobs.runOnce();
    expect(await creations()).toBe(0);
  });
});

describe('the jobs', () => {
  it('handle due markets, payments and withdrawals, relay events and prune when started, each in its interval', async () => {
    const { world, id } = await closedMarket();
    world.oracle.answer('YES');
    const { jobs, timers, relayed } = setUp(world);
    jobs.start();
    await quiet();
    expect((await world.market(id)).status).toBe('resolved');
    expect(relayed()).toBe(1);
    expect(timers.delays()).toEqual([1_000, 1_000, 5_000, 5_000, 5_000, 60_000, 60_000]);
    await jobs.stop();
    expect(timers.delays()).toEqual([]);
  });

  it('are woken when work arrives', async () => {
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

  it('run on demand until the rounds are answered that a run under way has begun', async () => {
    const world = await createWorld();
    // One run closes all these markets before the first round begins.
    for (let made = 0; made < 16; made += 1) await world.open(`Question ${made}?`);
    world.clock.advance(HOUR);
    world.oracle.answer('YES');
    const release = world.oracle.hold();
    const { jobs } = setUp(world);
    jobs.start();
    const ended = jest.fn();
    const onDemand = jobs.runOnce().then(ended);
    await quiet();
    expect(world.oracle.questions).toHaveLength(16);
    expect(ended).not.toHaveBeenCalled();
    release();
    await onDemand;
    expect(await world.statuses()).toEqual({ resolved: { markets: 16, exposure: 0n } });
    await jobs.stop();
  });

  it('run at most 16 rounds of the oracle at once', async () => {
    const world = await createWorld();
    for (let made = 0; made < 70; made += 1) await world.open(`Question ${made}?`);
    world.clock.advance(HOUR);
    world.oracle.answer('YES');
    const release = world.oracle.hold();
    const { jobs } = setUp(world);
    jobs.start();
    await quiet();
    expect(world.oracle.questions).toHaveLength(16);
    release();
    await quiet();
    expect(await world.statuses()).toEqual({ resolved: { markets: 70, exposure: 0n } });
    await jobs.stop();
  });

  it('give each place of a round back by itself: ten rounds that hang hold up no other market', async () => {
    const world = await createWorld();
    for (let made = 0; made < 70; made += 1) await world.open(`Question ${made}?`);
    world.clock.advance(HOUR);
    world.oracle.answer('YES');
    const oracle: Oracle = {
      name: 'moody',
      ask: (question) =>
        (question.marketId ?? 0) <= 10 ? new Promise(() => undefined) : world.oracle.ask(question),
    };
    const { jobs } = setUp({ ...world, context: { ...world.context, oracle } });
    jobs.start();
    await quiet();
    const { resolved, resolving } = await world.statuses();
    expect([resolved?.markets, resolving?.markets]).toEqual([60, 10]);
    await jobs.stop();
  });

  it('close markets while every place of a round is taken', async () => {
    const world = await createWorld();
    for (let made = 0; made < 16; made += 1) await world.open(`Question ${made}?`);
    world.clock.advance(HOUR);
    world.oracle.hold();
    const { jobs } = setUp(world);
    jobs.start();
    await quiet();
    const late = await world.open('Another one?');
    world.clock.advance(HOUR);
    jobs.wake();
    await quiet();
    expect(world.oracle.questions).toHaveLength(16);
    expect((await world.market(late)).status).toBe('resolving');
    await jobs.stop();
  });

  it('stop without waiting for an oracle that does not answer', async () => {
    const { world, id } = await closedMarket();
    world.oracle.hold();
    const { jobs } = setUp(world);
    jobs.start();
    await quiet();
    await jobs.stop();
    expect(await world.market(id)).toMatchObject({ oracleAttempts: 0, dueAt: world.clock.now() });
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

  it('are unhealthy after three failures in a row, and while one of them hangs', async () => {
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
      ['resolutions', 0],
      ['webhooks', 0],
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

describe('the health of the jobs', () => {
  async function hanging() {
    const world = await createWorld();
    const { clock } = world;
    let elapsed = 0;
    const context = { ...world.context, clock: { now: () => clock.now(), monotonic: () => elapsed } };
    const relay = {
      run: () => new Promise<boolean>(() => undefined),
      onWake: () => undefined,
      pollMs: () => 1_000,
    };
    const jobs = createJobs(context, relay, { reconcile: async () => false }, noWebhooks, manualTimers());
    jobs.start();
    await quiet();
    return { clock, jobs, pass: (milliseconds: number) => void (elapsed += milliseconds) };
  }

  it('is not lost because the clock was set forward by an hour', async () => {
    const { clock, jobs, pass } = await hanging();
    clock.advance(HOUR);
    pass(1_000);
    expect(jobs.health().ok).toBe(true);
  });

  it('shows a run that stands still although the clock was set back by an hour', async () => {
    const { clock, jobs, pass } = await hanging();
    clock.advance(-HOUR);
    pass(120_001);
    expect(jobs.health().ok).toBe(false);
  });
});
