/** The second server on a SQLite file takes the lock when the first one has ended. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServerLock } from '../../examples/standalone/server-lock';

const folder = mkdtempSync(join(tmpdir(), 'server-lock-'));
const storage = { kind: 'sqlite', file: join(folder, 'markets.db') } as const;
beforeEach(() => jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] }));
afterEach(() => jest.useRealTimers());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('of a first server is taken over within seconds, so that a third server notices the second one', async () => {
  const [first, second, third] = [
    createServerLock(storage),
    createServerLock(storage),
    createServerLock(storage),
  ];
  expect(await first.take()).toBe(false);
  expect(await second.take()).toBe(true);
  await first.release();
  await jest.advanceTimersByTimeAsync(5_000);
  let isTaken = false;
  // SQLite answers on a thread of its own, so the lock is asked for until the second server has it.
  for (let look = 0; look < 100 && !isTaken; look += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    const asked = createServerLock(storage);
    isTaken = await asked.take();
    await asked.release();
  }
  expect(isTaken).toBe(true);
  await second.release();
  expect(await third.take()).toBe(false);
  await third.release();
});

it('is none for other storages', async () => {
  const lock = createServerLock({ kind: 'memory' });
  expect(await lock.take()).toBe(false);
  await lock.release();
});
