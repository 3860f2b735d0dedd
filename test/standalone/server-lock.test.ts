import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../../examples/standalone';
import { createServerLock } from '../../examples/standalone/server-lock';
import { lockForServer, type SqliteServerLock } from '../../adapters/storage/sqlite';
import { manualTimers } from '../jobs/manual-timers';
import { createGate } from '../support/gate';

const folder = mkdtempSync(join(tmpdir(), 'server-lock-'));
const storage = { kind: 'sqlite', file: join(folder, 'markets.db') } as const;
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const TAKEN: SqliteServerLock = { state: 'taken', release: () => Promise.resolve() };

describe('the lock of the standalone server', () => {
  it('is taken over after a first server, so that a third server notices the second one', async () => {
    const timers = manualTimers();
    const gates = [createGate(), createGate()];
    let asked = 0;
    const first = createServerLock(storage);
    const second = createServerLock(storage, {
      ...timers,
      async ask() {
        const answer = await lockForServer({ file: storage.file });
        gates[asked++]?.open();
        return answer;
      },
    });
    expect(await first.take()).toBe(false);
    expect(await second.take()).toBe(true);
    await first.release();
    await timers.fire(5_000);
    await gates[1]?.opened;
    const third = createServerLock(storage, timers);
    expect(await third.take()).toBe(true);
    await third.release();
    await second.release();
    expect(timers.delays()).toEqual([]);
    const fourth = createServerLock(storage, timers);
    expect(await fourth.take()).toBe(false);
    await fourth.release();
  });

  it('is asked for no more after the close began, not even by an attempt that was under way', async () => {
    const timers = manualTimers();
    const answer = createGate<SqliteServerLock>();
    let asked = 0;
    const lock = createServerLock(storage, {
      ...timers,
      ask: () => (asked++ === 0 ? Promise.resolve(TAKEN) : answer.opened),
    });
    await lock.take();
    await timers.fire(5_000);
    let isClosed = false;
    const closed = lock.release().then(() => (isClosed = true));
    await new Promise(setImmediate);
    expect(isClosed).toBe(false);
    answer.open(TAKEN);
    await closed;
    expect([asked, timers.delays(), await lock.take()]).toEqual([2, [], false]);
    expect(asked).toBe(2);
  });

  it('is given back if an attempt gets it after the close began', async () => {
    const timers = manualTimers();
    const answer = createGate<SqliteServerLock>();
    const lock = createServerLock(storage, { ...timers, ask: () => answer.opened });
    const release = jest.fn(() => Promise.resolve());
    const taking = lock.take();
    const closed = lock.release();
    answer.open({ state: 'held', release });
    await closed;
    expect([await taking, release.mock.calls.length]).toEqual([false, 1]);
  });

  it('is asked for no more after an attempt that failed, and the failure is nowhere unhandled', async () => {
    const timers = manualTimers();
    let asked = 0;
    const lock = createServerLock(storage, {
      ...timers,
      ask: () => (asked++ === 0 ? Promise.resolve(TAKEN) : Promise.reject(new Error('no disk'))),
    });
    expect(await lock.take()).toBe(true);
    await timers.fire(5_000);
    expect(timers.delays()).toEqual([]);
    await lock.release();
  });

  it('is waited for by a timer that keeps no process from ending', async () => {
    const setTimer = jest.spyOn(globalThis, 'setTimeout');
    const lock = createServerLock(storage, { ask: () => Promise.resolve(TAKEN) });
    await lock.take();
    const timer = setTimer.mock.results.at(-1)?.value as NodeJS.Timeout;
    expect([setTimer.mock.lastCall?.[1], timer.hasRef()]).toEqual([5_000, false]);
    setTimer.mockRestore();
    await lock.release();
  });

  it('is none for other storages', async () => {
    const lock = createServerLock({ kind: 'memory' });
    expect(await lock.take()).toBe(false);
    await lock.release();
  });

  it('is asked for by a second app on the file, until the app closes', async () => {
    const environment = { DATABASE_URL: `sqlite:${join(folder, 'apps.db')}`, LOG_LEVEL: 'silent' };
    const [first, second] = [createApp(environment), createApp(environment)];
    await first.start();
    const setTimer = jest.spyOn(globalThis, 'setTimeout');
    await second.start();
    const pauses = setTimer.mock.calls.filter(
      ([callback, pause]) => pause === 5_000 && callback.name === 'again',
    );
    setTimer.mockRestore();
    expect(pauses).toHaveLength(1);
    await first.close();
    await second.close();
    // A timer that outlived the app would take the lock now.
    (pauses[0]?.[0] as () => void)();
    const lock = await lockForServer({ file: join(folder, 'apps.db') });
    expect(lock.state).toBe('held');
    await lock.release();
  });
});
