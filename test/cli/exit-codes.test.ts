import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqlRepositories } from '../../adapters/shared/sql/repositories';
import { sqlStorage } from '../../adapters/shared/sql/sql-storage';
import { sqliteConnector } from '../../adapters/shared/sql/sqlite-connection';
import { sqliteDialect } from '../../adapters/shared/sql/sqlite-dialect';
import { fileConnector } from '../../adapters/storage/sqlite/file-connector';
import { lockForServer, sqliteStorage, type SqliteServerLock } from '../../adapters/storage/sqlite';
import { failureOf } from '../../cli/failures';
import { needsAPerson } from '../../cli/needs-a-person';
import { requireHere } from '../../src/crypto/require-here';
import { silentLogger } from '../../src/ports/logger';
import { createTestMarket } from '../../testing/create-test-market';
import { start } from '../standalone/support/process';
import { refusingPostgres } from '../support/refusing-postgres';
import { program } from '../support/program';
import { migratedSqliteFile } from '../support/sqlite-files';
import { openRaw } from '../support/sqlite-raw';
import { run, type Given } from './support';

const WALLET = '0x000000000000000000000000000000000000dEaD';
const TOKEN = 'a-token-of-operators';
/** Linux lets no user make a file there, not even root. */
const UNWRITABLE = '/sys/kernel';

let folder: string;
let postgres: Server;
let busyPort: Server;
let lock: SqliteServerLock;
const path = (name: string): string => join(folder, name);
const sqlite = (name: string): Given => ({ environment: { DATABASE_URL: `sqlite:${path(name)}` } });
const unwritable: Given = { environment: { DATABASE_URL: `sqlite:${UNWRITABLE}/markets.db` } };
const portOf = (server: Server): number => (server.address() as AddressInfo).port;
const refusedByPostgres = (): Given => ({
  environment: { DATABASE_URL: `postgres://ada:hunter2@127.0.0.1:${portOf(postgres)}/x` },
});
const away: Given = { environment: { DATABASE_URL: 'postgres://ada@127.0.0.1:1/x' } };
const answering = (status: number, body: string, headers: Record<string, string> = {}): Given => ({
  environment: { ADMIN_TOKEN: TOKEN },
  fetch: () => Promise.resolve(new Response(body, { status, headers })),
});
const refusing = (status: number, code: string): Given =>
  answering(status, JSON.stringify({ message: 'Refused', code }));
const silent: Given = {
  environment: { ADMIN_TOKEN: TOKEN },
  fetch: () => Promise.reject(new TypeError('fetch failed')),
};

const withoutTls: Given = {
  environment: { ADMIN_TOKEN: TOKEN },
  fetch: () =>
    Promise.reject(new TypeError('fetch failed', { cause: { code: 'ERR_SSL_WRONG_VERSION_NUMBER' } })),
};

function circle(): Error & { code?: string; parent?: Error } {
  const error: Error & { code?: string; parent?: Error } = new Error('the driver failed');
  error.cause = new Error('inner', { cause: error });
  return Object.assign(error, { parent: error });
}

const ON_DATABASE = [
  'audit',
  'backup copy.db',
  `keys list ${WALLET}`,
  'keys revoke 1',
  'creators list',
  `creators approve ${WALLET}`,
  'treasury deposit 5 --reference x',
  'log',
  'events --since oldest --once',
  'epoch',
  'epoch --new',
];
const MAKE_DATABASES = ['migrate', 'sample', 'serve'];
const BY_URL = [
  ...['audit', `keys list ${WALLET}`, 'keys revoke 1', `creators approve ${WALLET}`],
  ...['log', 'treasury deposit 5 --reference x', 'withdrawals fail 1 --reason x'],
];

interface Case {
  cause: string;
  command: string;
  given: () => Given;
  exitCode: number;
  line: RegExp;
}

function row(
  cause: string,
  exitCode: number,
  commands: readonly string[],
  given: Given | (() => Given),
  line: RegExp,
  except: Record<string, number> = {},
): Case[] {
  return commands.map((command) => ({
    cause,
    command,
    given: typeof given === 'function' ? given : () => given,
    exitCode: except[command.split(' ')[0] ?? ''] ?? exitCode,
    line,
  }));
}

const byUrl = (commands: readonly string[]): string[] =>
  commands.map((command) => `${command} --url http://market.example`);
const withoutBackup = ON_DATABASE.filter((command) => !command.startsWith('backup'));

const CALL = 'an unknown option, a wrong argument, or a missing package';
const SETTING = 'a wrong value of an environment variable';
const NO_DATABASE = 'no usable database at `DATABASE_URL`';
const NOT_ALLOWED = 'a file or folder that the user may not read or write';
const REFUSED_BY_POSTGRES = 'Postgres refuses the user or the database';
const TAKEN = 'a target that exists already';
const NOT_FOR_SAMPLES = 'a database with markets, or with real money';
const NOT_FOR_BACKUP = 'a database that is not SQLite';
const REFUSED = 'what the service refuses, such as an unknown key or market';
const BY_SERVER = 'a server that refuses the token or the request';
const WRONG_ADDRESS = "an address that is not that of the operators' routes";
const RUNS = 'a server that runs';
const POSITION = 'a position from which no command can continue';
const NO_ANSWER = 'a database or a server that does not answer';
const PORT = 'a port that another program uses';
const BOOKS = 'books that do not add up';
/** No case here has this cause, because process.test.ts tests it. */
const OUTPUT = 'output that cannot be written';

const CASES: Case[] = [
  ...row(
    CALL,
    2,
    ['serve --x', 'sample --seed x', 'migrate x', 'backup', 'keys revoke x', 'payments reject 1 --reason x'],
    {},
    /^error: /,
  ),
  ...row(CALL, 2, ['init --storage x', 'creators reject x', 'events --since x', 'epoch x'], {}, /^error: /),
  ...row(CALL, 2, withoutBackup, () => ({ ...sqlite('good.db'), isInstalled: () => false }), /npm install/),
  ...row(SETTING, 2, [...ON_DATABASE, ...MAKE_DATABASES], { environment: { PORT: 'x' } }, /^error: PORT/),
  ...row(NO_DATABASE, 2, ON_DATABASE, () => sqlite('absent.db'), /there is no database file/),
  ...row(NO_DATABASE, 2, [...ON_DATABASE, ...MAKE_DATABASES], () => sqlite('text.db'), /NOTADB/),
  ...row(NO_DATABASE, 2, [...withoutBackup, ...MAKE_DATABASES], () => sqlite('newer.db'), /newer version/),
  ...row(NO_DATABASE, 2, [...withoutBackup, ...MAKE_DATABASES], () => sqlite('songs.db'), /another program/),
  ...row(NO_DATABASE, 2, [...withoutBackup, 'sample'], () => sqlite('older.db'), /lacks migrations/),
  ...row(NO_DATABASE, 2, withoutBackup, () => sqlite('empty.db'), /has no tables/),
  ...row(NOT_ALLOWED, 2, ['migrate', 'sample', 'serve'], unwritable, /has to be able to/),
  ...row(
    NOT_ALLOWED,
    2,
    ['migrate', 'serve'],
    { environment: { DATABASE_URL: 'sqlite:/dev/null/x.db' } },
    /folder/,
  ),
  ...row(NOT_ALLOWED, 2, withoutBackup, () => sqlite('folder.db'), /has to be able to.* copy it, and/),
  ...row(
    NOT_ALLOWED,
    2,
    [`backup ${UNWRITABLE}/copy.db`, 'backup no/copy.db'],
    () => sqlite('good.db'),
    /EACCES|EPERM|does not exist/,
  ),
  ...row(NOT_ALLOWED, 2, [`init ${UNWRITABLE}/app`, 'init /dev/null/app'], {}, /^error: E/),
  ...row(
    REFUSED_BY_POSTGRES,
    2,
    [...withoutBackup, 'migrate', 'serve'],
    refusedByPostgres,
    /authentication/,
    { serve: 1 },
  ),
  ...row(TAKEN, 2, ['backup text.db'], () => sqlite('good.db'), /exists; name another file/),
  ...row(TAKEN, 2, ['init app'], {}, /nothing was written/),
  ...row(NOT_FOR_SAMPLES, 2, ['sample'], () => sqlite('filled.db'), /only into a database without markets/),
  ...row(
    NOT_FOR_SAMPLES,
    2,
    ['sample'],
    {
      environment: {
        RPC_URL: 'http://127.0.0.1:1',
        SETTLER_PRIVATE_KEY: `0x${'1'.repeat(64)}`,
        PAY_TO: '0x1111111111111111111111111111111111111111',
      },
    },
    /play money only/,
  ),
  ...row(NOT_FOR_BACKUP, 2, ['backup copy.db'], away, /pg_dump/),
  ...row(
    REFUSED,
    2,
    [
      ...['keys revoke 99', 'keys update 99 --rate-limit 5', 'markets close 99', 'consumers remove x'],
      ...['webhooks enable 99', 'log --action x', 'deposits add 0x12 1 --reference x'],
    ],
    () => sqlite('good.db'),
    /no active key|No market|There is no|must be/,
  ),
  ...row(BY_SERVER, 2, byUrl(BY_URL), {}, /ADMIN_TOKEN/),
  ...row(BY_SERVER, 2, byUrl(BY_URL), refusing(401, 'UNAUTHORIZED'), /refused ADMIN_TOKEN/),
  ...row(BY_SERVER, 2, byUrl(BY_URL), refusing(404, 'KEY_NOT_FOUND'), /^error: Refused \(KEY_NOT_FOUND\)/),
  ...row(WRONG_ADDRESS, 2, byUrl(BY_URL), answering(302, '', { location: '/x' }), /a redirect/),
  ...row(WRONG_ADDRESS, 2, byUrl(BY_URL), answering(404, '<html>'), /there are no operators' routes/),
  ...row(WRONG_ADDRESS, 2, byUrl(BY_URL), answering(200, '<html>'), /is it the address/),
  ...row(WRONG_ADDRESS, 2, byUrl(BY_URL), withoutTls, /does not speak TLS/),
  ...row(WRONG_ADDRESS, 2, ['audit --url ftp://x'], {}, /--url: expected/),
  ...row(RUNS, 2, ['epoch --new'], () => sqlite('served.db'), /stop the server first/),
  ...row(
    RUNS,
    2,
    ['epoch --new'],
    () => ({ ...sqlite('leased.db'), clock: { now: () => 5 } }),
    /while another instance runs/,
  ),
  ...row(POSITION, 2, ['events --since another:0'], () => sqlite('good.db'), /another epoch/),
  ...row(NO_ANSWER, 1, [...withoutBackup, 'migrate', 'serve'], away, /ECONNREFUSED/, { audit: 3 }),
  ...row(NO_ANSWER, 1, byUrl(BY_URL), silent, /no answer/, { audit: 3 }),
  ...row(NO_ANSWER, 1, byUrl(BY_URL), refusing(503, 'SERVICE_UNAVAILABLE'), /^error: Refused/, { audit: 3 }),
  ...row(NO_ANSWER, 1, byUrl(BY_URL), refusing(429, 'RATE_LIMIT_EXCEEDED'), /^error: Refused/, { audit: 3 }),
  ...row(
    PORT,
    1,
    ['serve'],
    () => ({ environment: { PORT: String(portOf(busyPort)), DATABASE_URL: 'memory:' } }),
    /^error: PORT: /,
  ),
  ...row(BOOKS, 1, ['audit'], () => sqlite('wrong.db'), /do NOT add up/),
];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cli-exit-codes-'));
  const made = await migratedSqliteFile();
  for (const name of ['good', 'newer', 'older', 'filled', 'served', 'leased', 'wrong'])
    await copyFile(made.file, path(`${name}.db`));
  await made.remove();
  await changed('newer.db', "INSERT INTO schema_migrations (name) VALUES ('9999-later')");
  await changed('older.db', `DELETE FROM schema_migrations WHERE name <> '0001-initial'`);
  await changed('leased.db', "INSERT INTO leases VALUES ('event-relay', 'x', 9, 1)");
  await changed('songs.db', 'CREATE TABLE songs (name TEXT)');
  await writeFile(path('text.db'), 'x'.repeat(4096));
  await writeFile(path('empty.db'), '');
  await mkdir(path('folder.db'));
  await mkdir(path('app'));
  await writeFile(path('app/package.json'), '{}');
  for (const name of ['filled.db', 'wrong.db']) {
    const test = await createTestMarket({ storage: sqliteStorage({ file: path(name) }) });
    await test.fund(test.wallet('alice'), 100);
    await test.createMarket();
    await test.close();
  }
  await changed('wrong.db', "UPDATE accounts SET balance = 7 WHERE id LIKE 'wallet:%'");
  lock = await lockForServer({ file: path('served.db') });
  postgres = await refusingPostgres();
  busyPort = createServer().listen(0, '127.0.0.1');
  await once(busyPort, 'listening');
});
afterAll(async () => {
  await lock.release();
  postgres.close();
  busyPort.close();
  await rm(folder, { recursive: true, force: true });
});

async function changed(name: string, statement: string): Promise<void> {
  const connection = await openRaw(path(name));
  await connection.all(statement);
  await connection.close();
}

/** Runs `serve` in a process of its own, because a server whose start has failed does not close its port. */
async function ended(command: string, given: Given): Promise<{ exitCode: number | null; said: string }> {
  const args = command.split(' ');
  if (args[0] !== 'serve') {
    const { exitCode, printed, told } = await run(args, { folder, ...given });
    return { exitCode, said: [...printed, ...told].join('\n') };
  }
  const environment = given.environment as Record<string, string> | undefined;
  const serving = start(environment ?? {}, [process.execPath, ...program('cli/main.ts'), ...args]);
  return { exitCode: await serving.exit, said: serving.errors() };
}

it.each(CASES.map((each) => [each.cause, each.command, each] as const))(
  '%s: %s',
  async (_cause, command, { given, exitCode, line }) => {
    expect(await ended(command, given())).toEqual({ exitCode, said: expect.stringMatching(line) });
  },
);

it('the page lists these causes with their codes', async () => {
  const page = await readFile('docs/command-line.md', 'utf8');
  const [, section = ''] = page.split('\n### Causes\n');
  const rows = [...(section.split('\n## ')[0] ?? '').matchAll(/^\| (.+?) +\| .+? +\| (.*\d.*?) +\|$/gm)];
  const onPage = rows.map(([, cause = '', codes = '']) => [cause, [...new Set(codes.match(/\d/g))].sort()]);
  const codesOf = (cause: string): number[] =>
    CASES.filter((each) => each.cause === cause).map(({ exitCode }) => exitCode);
  const tested = [...new Set(CASES.map(({ cause }) => cause))].map((cause) => [
    cause,
    [...new Set(codesOf(cause).map(String))].sort(),
  ]);
  expect(onPage).toEqual([...tested, [OUTPUT, ['3']]]);
});

/** Root may write every file. So the driver opens the file as it does for a user who may only read it. */
function onlyReading(name: string): unknown {
  const loaded = requireHere(name) as object;
  if (name !== 'sqlite3') return loaded;
  const { OPEN_READONLY } = loaded as { OPEN_READONLY: number };
  return Object.create(loaded, { OPEN_READWRITE: { value: OPEN_READONLY }, OPEN_CREATE: { value: 0 } });
}

it('a database file that the user may read and not write ends with 2, and the line names the cure', async () => {
  const connector = fileConnector(sqliteConnector(onlyReading), path('good.db'), { migrate: false });
  const storage = sqlStorage(connector, sqlRepositories(sqliteDialect));
  const error: unknown = await storage.open({ logger: silentLogger }).catch((refused: unknown) => refused);
  await storage.close();
  expect(failureOf(error, [])).toEqual({
    exitCode: 2,
    lines: [
      expect.stringMatching(/READONLY.*good.db; the user of this process has to be able to write the file/),
    ],
  });
});

describe('an error whose causes form a circle', () => {
  it('ends with the code of what it contains', () => {
    expect(needsAPerson(circle())).toBe(false);
    const refused = circle();
    (refused.cause as Error & { parent?: Error }).parent = Object.assign(new Error('refused'), {
      code: '28P01',
    });
    expect(needsAPerson(refused)).toBe(true);
  });
});
