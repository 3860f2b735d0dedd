import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import ts from 'typescript';
import { testWallet } from '../../testing/test-wallets';
import { refusingPostgres } from '../support/refusing-postgres';
import { until } from '../support/until';
import { run } from './support';

const ROOT = process.cwd();
const TOKEN = 'a-token-of-sixteen-characters';
const { PATH, HOME } = process.env;

let folder: string;
let main: string;
let large: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  await mkdir(join(ROOT, '.tmp'), { recursive: true });
  folder = await mkdtemp(join(ROOT, '.tmp', 'init-process-'));
  main = await bundledApp(folder, []);
  const choices = ['--storage', 'postgres', '--oracle', 'openai', '--facilitator', 'evm'];
  large = await bundledApp(join(folder, 'large'), choices);
});

async function bundledApp(place: string, choices: string[]): Promise<string> {
  expect(await run(['init', place, ...choices])).toMatchObject({ exitCode: 0, told: [] });
  const outfile = join(place, 'main.cjs');
  await build({
    entryPoints: [join(place, 'src/main.ts')],
    ...{ outfile, bundle: true, platform: 'node', format: 'cjs', packages: 'external' },
    tsconfig: join(ROOT, 'tsconfig.json'),
    logLevel: 'error',
  });
  return outfile;
}
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

function start(args: string[], settings: Record<string, string>): { child: ChildProcess; said(): string } {
  const env = { PATH, HOME, PORT: '0', ADMIN_TOKEN: TOKEN, ...settings };
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => (text += part.toString()));
  return { child, said: () => text };
}

function isAlive(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
}

const settingsOfLarge = (DATABASE_URL: string): Record<string, string> => ({
  ...{ DATABASE_URL, RPC_URL: 'http://127.0.0.1:1', PAY_TO: testWallet('payee').address },
  ...{ SETTLER_PRIVATE_KEY: testWallet('settler').privateKey },
  ...{ ORACLE_BASE_URL: 'http://127.0.0.1:1/v1', ORACLE_MODELS: 'one,two' },
});

describe('the app of init, as a process', () => {
  it.each([
    [
      'a database of another kind, without repeating its password',
      { DATABASE_URL: 'postgres://ada:secret@localhost/x' },
      'DATABASE_URL must be sqlite:<file>, such as sqlite:data/markets.db',
    ],
    ['a port that is none', { PORT: 'abc' }, 'PORT must be a port from 0 to 65535, such as 3000'],
    ['a token that can be guessed', { ADMIN_TOKEN: 'abc' }, 'ADMIN_TOKEN must have at least 16 characters'],
    ['a file that is no database', { DATABASE_URL: 'sqlite:package.json' }, 'file is not a database'],
  ])('refuses %s', async (_what, settings, message) => {
    const before = await readdir(folder);
    const { child, said } = start([main], settings);
    const [code] = (await once(child, 'close')) as [number];
    // systemd does not start the app again after the exit code 2 (docs/deploy.md).
    expect(code).toBe(2);
    expect(said()).toMatch(/cannot start: /);
    expect(said()).toContain(message);
    expect(said()).not.toMatch(/secret|\n +at /);
    expect(await readdir(folder)).toEqual(before);
  });

  it('starts while the facilitator is away, warns, and counts wrong tokens by the address behind TRUST_PROXY', async () => {
    const program = await bundledApp(join(folder, 'paid'), ['--facilitator', 'http']);
    const { child, said } = start([program], {
      ...{ DATABASE_URL: `sqlite:${join(folder, 'paid.db')}`, PAY_TO: testWallet('payee').address },
      ...{ FACILITATOR_URL: 'http://127.0.0.1:1', TRUST_PROXY: '1' },
    });
    await until(() => said().includes('payments cannot be settled now: FACILITATOR_URL does not answer'));
    await until(() => said().includes('The market is at '));
    const port = /The market is at http:\/\/localhost:(\d+)/.exec(said())?.[1] ?? '';
    const statusOf = async (from: string): Promise<number> => {
      const headers = { authorization: 'Bearer wrong', 'x-forwarded-for': from };
      return (await fetch(`http://127.0.0.1:${port}/api/v2/admin/audit`, { headers })).status;
    };
    const statuses = await Promise.all(Array.from({ length: 20 }, () => statusOf('192.0.2.1')));
    expect(new Set(statuses)).toEqual(new Set([401]));
    expect([await statusOf('192.0.2.1'), await statusOf('192.0.2.2')]).toEqual([429, 401]);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('names all settings that are wrong at once, without their values', async () => {
    const wrong = {
      ...{ PORT: '70000', ADMIN_TOKEN: 'hunter2', BASE_URL: 'hunter2.example', TRUST_PROXY: 'hunter2' },
      ...{ DATABASE_URL: 'mysql://ada:hunter2@localhost/x', PAY_TO: 'hunter2', RPC_URL: '' },
      ...{ SETTLER_PRIVATE_KEY: '0xhunter2', ORACLE_BASE_URL: 'https://models.example/v1' },
    };
    const { child, said } = start([large], wrong);
    const [code] = (await once(child, 'close')) as [number];
    expect({ code, said: said().trim().split('\n') }).toEqual({
      code: 2,
      said: [
        'cannot start: settings are missing or wrong; .env.example describes them:',
        '- ADMIN_TOKEN must have at least 16 characters; "openssl rand -base64 24" makes one; it has 7 characters',
        '- PORT must be a port from 0 to 65535, such as 3000; it has 5 characters',
        '- expected the number of proxies in front, or their addresses or subnets (settings: TRUST_PROXY)',
        '- BASE_URL must be an address that begins with https:// or http://; it has 15 characters',
        '- DATABASE_URL must be postgres://<user>:<password>@<host>:<port>/<database>; it has 31 characters',
        '- ORACLE_MODELS is needed; it is not set',
        '- RPC_URL must be an address that begins with https:// or http://; it is not set',
        '- SETTLER_PRIVATE_KEY must be a private key: 0x and 64 hexadecimal digits; it has 9 characters',
        '- PAY_TO must be the address of a wallet: 0x and 40 hexadecimal digits; it has 7 characters',
      ],
    });
  });

  it('names a variable that is probably a misspelt setting, and starts', async () => {
    const { child, said } = start([main], {
      DATABSE_URL: 'sqlite:data/other.db',
      base_url: 'x',
      HOSTNAME: 'x',
    });
    await until(() => said().includes('The market is at '), { what: said });
    child.kill('SIGTERM');
    await once(child, 'close');
    expect(said().match(/^.* is not a setting.*$/gm)).toEqual([
      'DATABSE_URL is not a setting: did you mean DATABASE_URL?',
      'base_url is not a setting: did you mean BASE_URL?',
    ]);
  });

  it('names the misspelt setting also if the app does not start without it', async () => {
    const { child, said } = start([large], {
      ...settingsOfLarge('postgres://ada@127.0.0.1/x'),
      ...{ PAY_TO: '', PAYTO: testWallet('payee').address },
    });
    expect(await once(child, 'close')).toEqual([2, null]);
    expect(said()).toContain('PAYTO is not a setting: did you mean PAY_TO?');
    expect(said()).toContain('- PAY_TO must be the address of a wallet');
  });

  it('names the settings of a part that refuses them', async () => {
    const { child, said } = start([large], {
      ...settingsOfLarge('postgres://ada:hunter2@127.0.0.1/x'),
      ORACLE_MODELS: 'a,a',
    });
    await once(child, 'close');
    expect(said()).toMatch(/^- .*\(settings: ORACLE_BASE_URL, ORACLE_API_KEY, ORACLE_MODELS\)$/m);
  });

  it.each([
    [
      'the password is wrong',
      async (port: number) => `ada:hunter2@127.0.0.1:${port}`,
      /authentication failed/,
      1,
    ],
    ['nothing listens at the port', async () => 'ada:hunter2@127.0.0.1:1', /ECONNREFUSED/, 1],
    ['the password has a sign of addresses', async () => 'ada:hun/ter2@127.0.0.1/x', /DATABASE_URL/, 2],
    ['the port is none', async () => 'ada:hunter2@127.0.0.1:123456/x', /DATABASE_URL/, 2],
  ])('says why Postgres does not answer, and no password: %s', async (_what, placeOf, reason, exitCode) => {
    const server = await refusingPostgres();
    const { port } = server.address() as AddressInfo;
    const { child, said } = start([large], settingsOfLarge(`postgres://${await placeOf(port)}`));
    const [code] = (await once(child, 'close')) as [number];
    server.close();
    expect(code).toBe(exitCode);
    expect(said()).toMatch(reason);
    expect(said()).not.toMatch(/hun.?ter2|\n +at /);
  });

  it('stops when the npm above its shell is killed', async () => {
    const shell = `const shell = require('node:child_process').spawn('/bin/sh', ['-c', '"${process.execPath}" "${main}"; exit $?'], { stdio: 'inherit' }); console.log('shell ' + shell.pid); setInterval(() => {}, 1000);`;
    const { child, said } = start(['-e', shell], {
      npm_lifecycle_event: 'start',
      DATABASE_URL: 'sqlite:data/shell.db',
    });
    await until(() => said().includes('Operators sign in'), { what: said, withinMs: 30_000 });
    const id = Number(/shell (\d+)/.exec(said())?.[1]);
    child.kill('SIGKILL');
    // The shell ends only after its app, so the end of the shell proves the end of the app.
    await until(() => !isAlive(id), { what: 'the end of the shell', withinMs: 20_000 });
  });

  it('says where the operators sign in, and stops when the npm that has started it ends', async () => {
    // This program stands in for npm, and passes no signal on to the app.
    const npm = `const app = require('node:child_process').spawn(process.execPath, [${JSON.stringify(main)}], { stdio: 'inherit' }); console.log('app ' + app.pid); setInterval(() => {}, 1000);`;
    const { child, said } = start(['-e', npm], {
      npm_lifecycle_event: 'start',
      DATABASE_URL: 'sqlite:data/npm.db',
    });
    await until(() => said().includes('Operators sign in'), { what: said, withinMs: 30_000 });
    const port = /The market is at http:\/\/localhost:(\d+)/.exec(said())?.[1] ?? '';
    expect(said()).toContain(`Operators sign in at http://localhost:${port}/operators\n`);
    expect(said()).not.toContain(TOKEN);
    const page = await fetch(`http://127.0.0.1:${port}/operators`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('/api/v2/admin')]);
    const app = Number(/app (\d+)/.exec(said())?.[1]);
    child.kill('SIGKILL');
    await until(() => !isAlive(app), { what: 'the end of the app', withinMs: 20_000 });
  });

  it('is compiled by `npm run build` into files that find each other', async () => {
    const config = ts.getParsedCommandLineOfConfigFile(
      join(folder, 'tsconfig.build.json'),
      { types: [] },
      { ...ts.sys, onUnRecoverableConfigFileDiagnostic: ({ messageText }) => fail(messageText) },
    );
    expect(config?.errors).toEqual([]);
    const { options = {}, fileNames = [] } = config ?? {};
    expect(options).toMatchObject({
      outDir: join(folder, 'dist'),
      rootDir: join(folder, 'src'),
      noEmit: false,
    });
    expect(fileNames).toContain(join(folder, 'src/main.ts'));
    // The test looks at the emitted files, so `noCheck` skips the check of types.
    const written = new Map<string, string>();
    const write = (path: string, text: string): void => void written.set(path, text);
    ts.createProgram(fileNames, { ...options, noCheck: true }).emit(undefined, write);
    expect(written.get(join(folder, 'dist/main.js'))).toMatch(/from "\.\/app\.js"/);
    const compiled = fileNames.map((path) => path.replace('/src/', '/dist/').replace(/\.ts$/, '.js'));
    expect([...written.keys()].filter((path) => path.endsWith('.js')).sort()).toEqual(compiled.sort());
    const { scripts } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    expect(scripts).toMatchObject({
      build: 'tsc -p tsconfig.build.json',
      'start:built': 'node dist/main.js',
    });
  });
});

function fail(message: unknown): never {
  throw new Error(String(message));
}
