import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockForServer } from 'express-prediction-market/storage/sqlite';

const folder = mkdtempSync(join(tmpdir(), 'server-lock-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the lock of a server', () => {
  it('is held by one server at a time', async () => {
    const file = join(folder, 'markets.db');
    const first = await lockForServer({ file });
    const second = await lockForServer({ file });
    expect([first.state, second.state]).toEqual(['held', 'taken']);
    expect(statSync(`${file}.server`).mode & 0o777).toBe(0o600);

    await second.release();
    expect((await lockForServer({ file })).state).toBe('taken');

    await first.release();
    const third = await lockForServer({ file });
    expect(third.state).toBe('held');
    await third.release();
  });

  it.each([
    ['a database in memory', ':memory:'],
    ['a file in a folder that is missing', join(folder, 'missing', 'markets.db')],
  ])('is unknown for %s', async (_what, file) => {
    const lock = await lockForServer({ file });
    expect(lock.state).toBe('unknown');
    await lock.release();
  });

  it.each([
    ['that leads to no file', 'dangling', 'nowhere.server'],
    ['that leads into a folder that is missing', 'astray', 'missing/x.server'],
    ['that leads to itself', 'circle', 'circle.db.server'],
  ])('is unknown if a link %s is at its path, and makes no file', async (_what, name, target) => {
    const file = join(folder, `${name}.db`);
    symlinkSync(join(folder, target), `${file}.server`);
    const lock = await lockForServer({ file });
    expect([lock.state, existsSync(join(folder, target))]).toEqual(['unknown', false]);
    await lock.release();
  });

  it('refuses a wrong path by name', async () => {
    await expect(lockForServer({ file: '' })).rejects.toThrow('lockForServer: file must be');
  });
});
