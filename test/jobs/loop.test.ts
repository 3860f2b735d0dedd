import { createLoop, type Loop } from '../../src/jobs/loop';
import { testClock } from '../../testing/test-clock';
import { manualTimers, quiet, type ManualTimers } from './manual-timers';
import { createGate } from '../support/gate';

interface Setup {
  loop: Loop;
  timers: ManualTimers;
  clock: ReturnType<typeof testClock>;
  logged: object[];
  runs: () => number;
  /** Resolves with true if more is left to do. */
  task: { run: (signal: AbortSignal) => Promise<boolean> };
}

function setUp(intervalMs = 5_000): Setup {
  const timers = manualTimers();
  const clock = testClock(0);
  const logged: object[] = [];
  const nothing = (): void => undefined;
  const logger = {
    debug: nothing,
    info: nothing,
    warn: nothing,
    error: (fields: object) => void logged.push(fields),
  };
  const task = { run: async () => false };
  let runs = 0;
  const run = (signal: AbortSignal): Promise<boolean> => {
    runs += 1;
    return (task.run as Setup['task']['run'])(signal);
  };
  const loop = createLoop({ name: 'task', intervalMs, run, clock, logger, timers });
  return { loop, timers, clock, logged, runs: () => runs, task };
}

describe('a loop', () => {
  it('runs at once when started, then after every interval', async () => {
    const { loop, timers, runs } = setUp();
    expect(runs()).toBe(0);
    loop.start();
    await quiet();
    expect([runs(), timers.delays()]).toEqual([1, [5_000]]);
    await timers.fire();
    expect([runs(), timers.delays()]).toEqual([2, [5_000]]);
  });

  it('runs again at once while there is more', async () => {
    const { loop, timers, runs, task } = setUp();
    task.run = async () => runs() < 4;
    loop.start();
    await quiet();
    expect([runs(), timers.delays()]).toEqual([4, [5_000]]);
  });

  it.each([0, 1, 2, 3, 4, 5, 6, 7, 8])(
    'loses no wake-up that comes %i microtasks after its last look for work',
    async (ticks) => {
      const { loop, runs, task } = setUp();
      task.run = async () => {
        task.run = async () => false;
        void (async () => {
          for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
          loop.wake();
        })();
        return false;
      };
      loop.start();
      await quiet();
      expect(runs()).toBe(2);
    },
  );

  it('is woken before its time, and never runs twice at the same time', async () => {
    const { loop, timers, runs, task } = setUp();
    loop.wake();
    await quiet();
    expect(runs()).toBe(0);
    loop.start();
    await quiet();
    const { opened, open } = createGate<boolean>();
    task.run = () => opened;
    loop.wake();
    loop.wake();
    loop.wake();
    await quiet();
    expect([runs(), timers.delays()]).toEqual([2, []]);
    open(false);
    await quiet();
    expect([runs(), timers.delays()]).toEqual([3, [5_000]]);
  });

  it('logs a failure and backs off, wake-ups or not, until a run succeeds', async () => {
    const { loop, timers, runs, logged, task } = setUp(1_000);
    const error = new Error('away');
    task.run = () => Promise.reject(error);
    loop.start();
    await quiet();
    const delays: (number | undefined)[] = [];
    for (let failed = 1; failed <= 4; failed += 1) {
      expect(loop.health().failures).toBe(failed);
      loop.wake();
      await quiet();
      expect(runs()).toBe(failed);
      delays.push(timers.delays()[0]);
      await timers.fire();
    }
    expect(delays).toEqual([2_000, 4_000, 5_000, 5_000]);
    expect(logged[0]).toEqual({ err: error, job: 'task', failures: 1 });
    task.run = async () => false;
    await timers.fire();
    expect(loop.health().failures).toBe(0);
    expect(timers.delays()).toEqual([1_000]);
  });

  it('survives a task that throws before it returns a promise', async () => {
    const { loop, timers, task } = setUp();
    task.run = () => {
      throw new Error('rude');
    };
    loop.start();
    await quiet();
    expect(loop.health().failures).toBe(1);
    expect(timers.delays()).toHaveLength(1);
  });

  it('tells when it last succeeded, since when it runs and how often it failed', async () => {
    const { loop, clock, task } = setUp();
    const { opened, open } = createGate<boolean>();
    task.run = () => opened;
    clock.set(1_000);
    loop.start();
    expect(loop.health()).toEqual({
      name: 'task',
      lastSuccessAt: null,
      runningSince: 1_000,
      lastProgressAt: 1_000,
      failures: 0,
    });
    clock.set(2_000);
    open(false);
    await quiet();
    expect(loop.health()).toEqual({
      name: 'task',
      lastSuccessAt: 2_000,
      runningSince: null,
      lastProgressAt: null,
      failures: 0,
    });
  });

  it('waits for what is under way when it stops, tells it so, and runs no more', async () => {
    const { loop, timers, runs, task } = setUp();
    const { opened, open } = createGate<boolean>();
    let told = false;
    task.run = (signal) => {
      signal.addEventListener('abort', () => {
        told = true;
      });
      return opened.then(() => true);
    };
    loop.start();
    let stopped = false;
    const stopping = loop.stop().then(() => {
      stopped = true;
    });
    await quiet();
    expect([told, stopped]).toEqual([true, false]);
    open(false);
    await stopping;
    loop.wake();
    expect(await loop.runNow()).toBe(false);
    await quiet();
    expect([runs(), timers.delays()]).toEqual([1, []]);
  });

  it('runs on demand, started or not, after what is under way', async () => {
    const { loop, runs, task } = setUp();
    task.run = async () => runs() === 1;
    expect(await loop.runNow()).toBe(true);
    expect(runs()).toBe(2);
    const { opened, open } = createGate<boolean>();
    task.run = () => opened;
    loop.start();
    const demanded = loop.runNow();
    await quiet();
    expect(runs()).toBe(3);
    task.run = async () => false;
    open(false);
    expect(await demanded).toBe(false);
    expect(runs()).toBe(4);
  });

  it('rejects on demand when the run fails', async () => {
    const { loop, task } = setUp();
    task.run = () => Promise.reject(new Error('away'));
    await expect(loop.runNow()).rejects.toThrow('away');
  });
});
