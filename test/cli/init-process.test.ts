/** The app that `init` writes, as a process: its settings, its end, and its build. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import ts from 'typescript';
import { until } from '../support/until';
import { run } from './support';

const ROOT = process.cwd();
const TOKEN = 'a-token-of-sixteen-characters';
const { PATH, HOME } = process.env;

let folder: string;
let main: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  await mkdir(join(ROOT, '.tmp'), { recursive: true });
  folder = await mkdtemp(join(ROOT, '.tmp', 'init-process-'));
  expect(await run(['init', folder])).toMatchObject({ exitCode: 0, told: [] });
  main = join(folder, 'main.cjs');
  await build({
    entryPoints: [join(folder, 'src/main.ts')],
    ...{ outfile: main, bundle: true, platform: 'node', format: 'cjs', packages: 'external' },
    tsconfig: join(ROOT, 'tsconfig.json'),
    logLevel: 'error',
  });
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

/** Runs the arguments with these settings and collects what is printed. */
function start(args: string[], settings: Record<string, string>): { child: ChildProcess; said(): string } {
  const env = { PATH, HOME, PORT: '0', ADMIN_TOKEN: TOKEN, ...settings };
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => (text += part.toString()));
  return { child, said: () => text };
}

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
    expect(code).toBe(1);
    expect(said()).toMatch(/cannot start: /);
    expect(said()).toContain(message);
    expect(said()).not.toMatch(/secret|\n +at /);
    expect(await readdir(folder)).toEqual(before);
  });

  it('says where the operators sign in, and stops when the npm that has started it ends', async () => {
    // npm starts a script by a shell, and passes no signal on.
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
    const isAlive = (): boolean => {
      try {
        return process.kill(app, 0);
      } catch {
        return false;
      }
    };
    await until(() => !isAlive(), { what: 'the end of the app', withinMs: 20_000 });
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
    // The types of the package are not checked here, only what is written.
    const written = new Map<string, string>();
    const write = (path: string, text: string): void => void written.set(path, text);
    ts.createProgram(fileNames, { ...options, noCheck: true }).emit(undefined, write);
    expect(written.get(join(folder, 'dist/main.js'))).toMatch(/from "\.\/app\.js"/);
    expect([...written.keys()].filter((path) => path.endsWith('.js'))).toHaveLength(7);
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
