import { once } from 'node:events';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { address, start, type Running } from '../standalone/support/process';
import { program } from '../support/program';
import { migratedSqliteFile } from '../support/sqlite-files';
import { openRaw } from '../support/sqlite-raw';

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
  const newEpoch = run(['epoch', '--new'], database);
  expect([await newEpoch.exit, newEpoch.errors()]).toEqual([
    2,
    expect.stringMatching(/^error: a server runs on this SQLite file .*: stop the server first\n$/),
  ]);
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

it('serve says that it does not read a file .env, unless its variables are set', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cli-env-'));
  await writeFile(join(folder, '.env'), 'ADMIN_TOKEN=a-token-of-the-file\nLOG_LEVEL=warn\n');
  const cli = [...program('cli/main.ts'), 'serve'];
  const loud = start({}, [process.execPath, ...cli], folder);
  await address(loud);
  expect(loud.errors()).toContain('WARNING    a file .env is here and is not read');
  const quiet = start({}, [process.execPath, '--env-file=.env', ...cli], folder);
  await address(quiet);
  expect(quiet.errors()).not.toMatch(/\.env|ADMIN_TOKEN was not set/);
  for (const { child, exit } of [loud, quiet]) {
    child.kill('SIGTERM');
    expect(await exit).toBe(0);
  }
  await rm(folder, { recursive: true, force: true });
});

describe('serve ends with 2, so that systemd does not start it again,', () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cli-permanent-'));
    file = join(folder, 'markets.db');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function changed(...statements: string[]): Promise<void> {
    const made = await migratedSqliteFile();
    await copyFile(made.file, file);
    await made.remove();
    const connection = await openRaw(file);
    for (const statement of statements) await connection.all(statement);
    await connection.close();
  }

  it.each<[string, () => Promise<void>, RegExp]>([
    [
      'a file that is no database',
      () => writeFile(file, 'x'.repeat(4096)),
      /SQLITE_NOTADB.*no SQLite database/,
    ],
    [
      'a damaged database',
      async () => {
        await changed();
        const content = await readFile(file);
        await writeFile(file, content.fill(0x5a, 100, content.length));
      },
      /SQLITE_CORRUPT.*damaged: restore a backup/,
    ],
    [
      'the database of another program',
      async () => {
        const connection = await openRaw(file);
        await connection.all('CREATE TABLE songs (name TEXT)');
        await connection.close();
      },
      /database of another program/,
    ],
    [
      'migrations of a newer version',
      () => changed("INSERT INTO schema_migrations (name) VALUES ('9999-later')"),
      /newer version: 9999-later/,
    ],
    [
      'real money in the books',
      () => changed("INSERT INTO settings (name, value) VALUES ('money', 'eip155:8453 0xabc')"),
      /DATABASE_URL: the database holds real money/,
    ],
  ])('with %s', async (_what, make, line) => {
    await make();
    const serving = run(['serve'], { DATABASE_URL: `sqlite:${file}` });
    expect([await serving.exit, serving.errors()]).toEqual([2, expect.stringMatching(line)]);
    expect(serving.errors()).toMatch(/^error: [^\n]+\n$/);
  });
});

it('serve ends with 1 if the database does not answer, because it may come back', async () => {
  const serving = run(['serve'], { DATABASE_URL: 'postgres://ada@127.0.0.1:1/x' });
  expect([await serving.exit, serving.errors()]).toEqual([
    1,
    expect.stringMatching(/^error: DATABASE_URL: [^\n]*ECONNREFUSED[^\n]*\n$/),
  ]);
});

it('a command keeps its exit code when the reader of standard error has gone', async () => {
  const wrong = run(['nonsense']);
  wrong.child.stderr?.destroy();
  expect(await wrong.exit).toBe(2);
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
  // Standard error is no terminal, so the command shows no progress bar.
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
