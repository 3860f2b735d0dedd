import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

describe('package-lock.json', () => {
  it('is whole, so that `npm ci` takes it on every platform (else run scripts/complete-lock.mjs)', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['scripts/complete-lock.mjs', '--check']);
    expect(stdout).toBe('');
  });
});
