/** The program as a process: exit codes, streams and signals, and `serve`. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { address, start, type Running } from '../standalone/support/process';
import { program } from '../support/program';

const run = (args: string[], environment: Record<string, string> = {}): Running =>
  start(environment, [process.execPath, ...program('cli/main.ts'), ...args]);

it('serve runs the standalone server until SIGTERM', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cli-serve-'));
  const database = { DATABASE_URL: `sqlite:${join(folder, 'markets.db')}` };
  const serving = run(['serve'], { ADMIN_TOKEN: 'a-token-of-operators', ...database });
  const base = await address(serving);
  expect((await fetch(`${base}/ready`)).status).toBe(200);
  expect((await fetch(`${base}/`)).status).toBe(200);
  expect((await fetch(`${base}/api/v2/admin/audit`)).status).toBe(401);
  const audit = run(['audit', '--url', base], { ADMIN_TOKEN: 'a-token-of-operators' });
  expect([await audit.exit, audit.errors()]).toEqual([0, '']);
  expect(audit.output()).toMatch(/^the books add up/);
  serving.child.kill('SIGTERM');
  expect(await serving.exit).toBe(0);
  expect(serving.errors()).toContain('run `npx express-prediction-market sample`, and start it again');
  await rm(folder, { recursive: true, force: true });
});

it('serve refuses a wrong setting with 2, and a port that is taken with 1, in one line', async () => {
  const wrong = run(['serve'], { PORT: 'x' });
  expect([await wrong.exit, wrong.errors()]).toEqual([
    2,
    'error: PORT: expected an integer from 0 to 65535, got "x"\n',
  ]);
  const several = run(['serve'], { PORT: 'x', ADMIN_TOKEN: 'hunter2', LOG_LEVEL: 'loud' });
  expect([await several.exit, several.errors().split('\n')]).toEqual([
    2,
    [
      'error: PORT: expected an integer from 0 to 65535, got "x"',
      'error: ADMIN_TOKEN: expected at least 16 printable characters without spaces',
      expect.stringMatching(/^error: LOG_LEVEL: expected one of/),
      '',
    ],
  ]);
  const serving = run(['serve'], { ADMIN_TOKEN: 'a-token-of-operators' });
  const taken = run(['serve'], { PORT: new URL(await address(serving)).port });
  expect([await taken.exit, taken.errors()]).toEqual([
    1,
    expect.stringMatching(/^error: PORT: .*127\.0\.0\.1:\d+\n$/),
  ]);
  serving.child.kill('SIGTERM');
  await serving.exit;
});

it('a command fails when its result is lost, as on a full disk', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cli-full-'));
  const environment = { DATABASE_URL: `sqlite:${join(folder, 'markets.db')}` };
  const command = [process.execPath, ...program('cli/main.ts'), 'migrate'];
  const full = start(environment, ['sh', '-c', 'exec "$@" > /dev/full', 'sh', ...command]);
  expect([await full.exit, full.errors()]).toEqual([
    3,
    expect.stringMatching(/^error: standard output: .*ENOSPC/),
  ]);
  await rm(folder, { recursive: true, force: true });
});

it('events follows a database and ends with 0 at Ctrl-C', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cli-process-'));
  const environment = { DATABASE_URL: `sqlite:${join(folder, 'markets.db')}` };
  const migrated = run(['migrate'], environment);
  expect([await migrated.exit, migrated.errors()]).toEqual([0, '']);
  // There is no progress bar, because standard error is no terminal.
  expect(migrated.output()).toMatch(
    /^migrated SQLite.*: 0001-initial.*\nNEW database: this run has made its tables/,
  );
  const epoch = run(['epoch', '--json'], environment);
  await epoch.exit;
  const { epoch: name } = JSON.parse(epoch.output()) as { epoch: string };
  const sample = run(['sample'], environment);
  const following = run(['events', '--since', `${name}:0`], environment);
  await once(following.child.stdout!, 'data');
  following.child.kill('SIGINT');
  expect([await following.exit, following.errors()]).toEqual([0, '']);
  sample.child.kill('SIGINT');
  await sample.exit;
  await rm(folder, { recursive: true, force: true });
});
