import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import type { Express } from 'express';
import ts from 'typescript';
import { CHOICES } from '../../cli/init/choices';
import type { PredictionMarket } from '../../src/index';
import { createTestMarket } from '../../testing/create-test-market';
import { testWallet } from '../../testing/test-wallets';
import { startPostgres, type PostgresServer } from '../support/postgres';
import { migratedSqliteFile } from '../support/sqlite-files';
import { describeWith } from '../support/optional';
import { run } from './support';

const ROOT = process.cwd();
interface Combination {
  storage: string;
  oracle: string;
  facilitator: string;
}

const [STORAGES, ORACLES, FACILITATORS] = CHOICES.map(({ choices }) => choices.map(({ value }) => value));
const COMBINATIONS: Combination[] = (STORAGES ?? []).flatMap((storage) =>
  (ORACLES ?? []).flatMap((oracle) =>
    (FACILITATORS ?? [])
      .filter((facilitator) => storage !== 'memory' || facilitator === 'development')
      .map((facilitator) => ({ storage, oracle, facilitator })),
  ),
);

type Lines = (pm: PredictionMarket) => Promise<void>;

let folder: string;
const folderOf = ({ storage, oracle, facilitator }: Combination): string =>
  join(folder, `${storage}-${oracle}-${facilitator}`);

const hasPages = (choices: Combination): boolean => COMBINATIONS.indexOf(choices) % 2 === 0;

const flagsOf = (choices: Combination): string[] =>
  Object.entries(choices).flatMap(([name, value]) => [`--${name}`, value]);

beforeAll(async () => {
  await mkdir(join(ROOT, '.tmp'), { recursive: true });
  folder = await mkdtemp(join(ROOT, '.tmp', 'init-'));
  for (const [index, choices] of COMBINATIONS.entries()) {
    const without = [...(hasPages(choices) ? [] : ['--no-pages']), ...(index % 3 === 0 ? ['--no-live'] : [])];
    const written = await run(['init', folderOf(choices), ...flagsOf(choices), ...without]);
    expect(written).toMatchObject({ exitCode: 0, told: [] });
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('the apps have no errors of types', () => {
  const { config } = ts.readConfigFile(join(ROOT, 'cli/templates/tsconfig.template.json'), (path) =>
    ts.sys.readFile(path),
  ) as { config: { compilerOptions: object } };
  const root = ts.readConfigFile(join(ROOT, 'tsconfig.json'), (path) => ts.sys.readFile(path)) as {
    config: { compilerOptions: { paths: Record<string, string[]> } };
  };
  // Our sources import files without their endings, which the resolution `Bundler` allows.
  const resolving = {
    module: 'ESNext',
    moduleResolution: 'Bundler',
    paths: root.config.compilerOptions.paths,
  };
  const { options } = ts.convertCompilerOptionsFromJson({ ...config.compilerOptions, ...resolving }, ROOT);
  const rootNames = COMBINATIONS.flatMap((choices) =>
    ['src/main.ts', 'test/app.test.ts'].map((file) => join(folderOf(choices), file)),
  );
  const program = ts.createProgram({ rootNames, options });
  const written = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(folder));
  expect(written).toHaveLength(10 * COMBINATIONS.length);
  const problems = written.flatMap((file) => [
    ...program.getSyntacticDiagnostics(file),
    ...program.getSemanticDiagnostics(file),
  ]);
  expect(
    problems.map(({ file, messageText }) => [
      file?.fileName,
      ts.flattenDiagnosticMessageText(messageText, ' '),
    ]),
  ).toEqual([]);
});

it('the apps pass their own tests', async () => {
  const file = join(folder, 'all-tests.cjs');
  const contents = COMBINATIONS.map((choices) => `import '${folderOf(choices)}/test/app.test.ts';`).join(
    '\n',
  );
  await build({
    stdin: { contents, resolveDir: ROOT },
    ...{ outfile: file, bundle: true, platform: 'node', format: 'cjs', packages: 'external' },
    tsconfig: join(ROOT, 'tsconfig.json'),
    logLevel: 'error',
  });
  const { PATH, HOME } = process.env;
  const { stdout } = await promisify(execFile)(process.execPath, [file], {
    env: { PATH, HOME },
    cwd: folder,
  });
  const withPages = COMBINATIONS.filter(hasPages).length;
  expect(stdout).toContain(`# pass ${3 * COMBINATIONS.length + withPages}\n`);
  expect(stdout).toContain('# fail 0\n');
});

describe('every app starts and trades', () => {
  const given = process.env;
  afterEach(() => {
    process.env = given;
  });

  const onStorage = (storage: string): Combination[] =>
    COMBINATIONS.filter((each) => each.storage === storage);

  it('over SQLite', async () => {
    const { file, remove } = await migratedSqliteFile();
    for (const choices of onStorage('sqlite')) {
      const own = join(folderOf(choices), 'data/markets.db');
      await mkdir(dirname(own));
      await copyFile(file, own);
      await startAndTrade(choices, { DATABASE_URL: `sqlite:${own}` });
    }
    await remove();
  });

  it('in memory', async () => {
    for (const choices of onStorage('memory')) await startAndTrade(choices, {});
  });

  describeWith('postgres', 'with a database', () => {
    let server: PostgresServer;
    beforeAll(async () => {
      server = await startPostgres();
    });
    afterAll(() => server.stop());

    it('over Postgres', async () => {
      for (const choices of onStorage('postgres')) await startAndTrade(choices, { DATABASE_URL: server.url });
    });
  });
});

describe('the oracle over HTTP', () => {
  const given = process.env;
  afterEach(() => {
    process.env = given;
  });

  it.each(['http://oracle.example/', 'oracle.example', ''])('at %j names the setting', async (address) => {
    process.env = { ...settings(), DATABASE_URL: '', ORACLE_URL: address };
    const choices = { storage: 'sqlite', oracle: 'http', facilitator: 'development' };
    const { createPm } = (await import(join(folderOf(choices), 'src/prediction-market.ts'))) as {
      createPm(): PredictionMarket;
    };
    expect(createPm).toThrow(
      'ORACLE_URL must be an address that begins with https://, or ORACLE_ALLOW_PRIVATE must be 1',
    );
    process.env['ORACLE_ALLOW_PRIVATE'] = '1';
    if (address.startsWith('http:')) expect(createPm).not.toThrow(/ORACLE/);
    else expect(createPm).toThrow('ORACLE_URL must be an address that begins with https:// or http://');
  });
});

const ADMIN_TOKEN = 'the-token-of-this-test';

/**
 * Settings of all oracles, facilitators and payouts that `init` offers. No service has these addresses, because an app
 * must start without its services.
 */
function settings(): Record<string, string> {
  return {
    ...{ ORACLE_BASE_URL: 'http://127.0.0.1:1/v1', ORACLE_MODELS: 'one,two' },
    ...{
      ORACLE_URL: 'https://oracle.example/',
      ORACLE_SECRET: `whsec_${Buffer.alloc(32, 1).toString('base64')}`,
    },
    ...{
      FACILITATOR_URL: 'http://127.0.0.1:1',
      RPC_URL: 'http://127.0.0.1:1',
      PAY_TO: testWallet('payee').address,
    },
    ...{
      SETTLER_PRIVATE_KEY: testWallet('settler').privateKey,
      TREASURY_PRIVATE_KEY: testWallet('treasury').privateKey,
    },
  };
}

let traded = 0;

async function startAndTrade(choices: Combination, environment: Record<string, string>): Promise<void> {
  process.env = { NODE_ENV: 'test', ...settings(), ...environment };
  const { createApp } = (await import(join(folderOf(choices), 'src/app.ts'))) as {
    createApp(options: { adminToken: string }): { app: Express; pm: PredictionMarket };
  };
  const { app, pm } = createApp({ adminToken: ADMIN_TOKEN });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  await pm.start();
  try {
    expect([choices, await trade(server, pm)]).toEqual([choices, 201]);
    if (hasPages(choices))
      expect(await startPage(server)).toContain(`data-play-money="${choices.facilitator === 'development'}"`);
  } finally {
    server.close();
    server.closeAllConnections();
    await pm.close();
  }
}

const startPage = async (server: Server): Promise<string> =>
  (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)).text();

async function trade(server: Server, pm: PredictionMarket): Promise<number> {
  traded += 1;
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v2`;
  const post = (path: string, headers: Record<string, string>, body: object): Promise<Response> =>
    fetch(`${base}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const operator = { authorization: `Bearer ${ADMIN_TOKEN}` };
  const trader = testWallet(`trader ${traded}`);
  const { address } = trader;
  await post(`/admin/creators/${address}/approve`, operator, {});
  await post(`/admin/accounts/${address}/deposits`, operator, {
    amount: 100,
    reference: `deposit ${traded}`,
  });
  const { message, nonce } = await pm.issueChallenge({ address, action: 'issue' });
  const signature = await trader.signMessage(message);
  const { apiKey } = await pm.issueKey({ address, message, nonce, signature });
  const { id } = await pm.createMarket({
    creator: address,
    question: 'Will it rain?',
    resolutionCriteria: 'The gauge is wet.',
    resolveDate: new Date(Date.now() + 86_400_000).toISOString(),
    category: 'other',
  });
  const answer = await post(
    `/public/markets/${id}/trade`,
    { 'x-api-key': apiKey },
    { side: 'YES', amount: 10 },
  );
  return answer.status;
}

describe('what init writes', () => {
  const read = (choices: Combination, file: string): Promise<string> =>
    readFile(join(folderOf(choices), file), 'utf8');
  const DEFAULT: Combination = { storage: 'sqlite', oracle: 'manual', facilitator: 'development' };

  it('is the same with no flag as with the first choices, on no terminal', async () => {
    const plain = join(folder, 'plain');
    const { printed } = await run(['init', 'plain', '--no-live', '--json'], { folder });
    const { files } = JSON.parse(printed[0] ?? '') as { files: string[] };
    expect(files.length).toBe(16);
    for (const file of files.filter((name) => !['package.json', 'README.md'].includes(name)))
      expect(await readFile(join(plain, file), 'utf8')).toBe(await read(DEFAULT, file));
  });

  it('has no line of a part that was not chosen, and no mark of a part', async () => {
    const noPages = { storage: 'sqlite', oracle: 'manual', facilitator: 'http' };
    expect(await read(noPages, 'src/app.ts')).not.toMatch(/createSite|pages"/);
    expect(await read(DEFAULT, 'src/main.ts')).not.toContain('attachWebSocket');
    expect(await read(noPages, 'src/main.ts')).toContain('attachWebSocket');
    for (const file of ['src/app.ts', 'src/main.ts', 'test/app.test.ts'])
      expect(await read(noPages, file)).not.toMatch(/\/\/ (if|end)\b|\{\{/);
  });

  it('names the reasons of a failed start, also if the causes of the error form a circle', async () => {
    const { reasonsOf, isPermanent } = (await import(join(folderOf(DEFAULT), 'src/failures.ts'))) as {
      reasonsOf(error: unknown): string;
      isPermanent(error: unknown): boolean;
    };
    const circle = new Error('outer', { cause: new Error('inner') });
    (circle.cause as Error).cause = circle;
    expect([reasonsOf(circle).startsWith('outer: inner: outer'), isPermanent(circle)]).toEqual([true, false]);
    const away = Object.assign(new Error('away', { cause: new Error('no such user') }), {
      code: 'SERVICE_UNAVAILABLE',
    });
    expect(reasonsOf(away)).toBe('DATABASE_URL: away: no such user');
    const unusable = new Error('away', {
      cause: Object.assign(new Error('cut'), { code: 'UNUSABLE_DATABASE' }),
    });
    expect([reasonsOf(unusable), isPermanent(unusable)]).toEqual(['away: cut', true]);
  });

  it('says before the start where settings belong, in an app that does not start without them', async () => {
    const needed = /cp \.env\.example \.env .*\nnpm start/;
    expect(await read({ ...DEFAULT, oracle: 'http' }, 'README.md')).toMatch(needed);
    expect(await read(DEFAULT, 'README.md')).not.toContain('cp .env.example');
  });

  it('sends no reader to a page that it does not have', async () => {
    const noPages = { storage: 'sqlite', oracle: 'manual', facilitator: 'http' };
    expect(await read(noPages, 'README.md')).toContain('The app has no pages.');
    expect(await read(noPages, 'README.md')).not.toContain('on the page of the market');
    expect(await read(noPages, 'src/main.ts')).not.toContain('The market is at');
    expect(await read(DEFAULT, 'README.md')).toContain('on the page of the market');
    expect(await read(DEFAULT, 'src/main.ts')).toContain('The market is at');
  });

  it('needs only the packages of its choices, in the versions that the tests use', async () => {
    const manifest = JSON.parse(
      await read({ ...DEFAULT, storage: 'postgres', oracle: 'ai' }, 'package.json'),
    ) as {
      dependencies: Record<string, string>;
    };
    expect(Object.keys(manifest.dependencies)).toEqual([
      'express',
      'express-prediction-market',
      'sequelize',
      'pg',
      'ai',
      'tsx',
    ]);
    expect(Object.values(manifest.dependencies)).not.toContain('*');
  });

  it('overwrites nothing, and writes nothing if a file is there', async () => {
    const own = join(folder, 'own');
    await mkdir(own);
    await writeFile(join(own, 'README.md'), 'mine');
    const refused = await run(['init', own]);
    expect(refused).toMatchObject({
      exitCode: 2,
      told: [expect.stringMatching(/these files exist in .*: README\.md$/)],
    });
    expect(await readdir(own)).toEqual(['README.md']);
    expect(await readFile(join(own, 'README.md'), 'utf8')).toBe('mine');
  });

  it('names the copy of the settings only where it overwrites none', async () => {
    const own = join(folder, 'own-settings');
    const args = ['init', own, '--oracle', 'http'];
    await mkdir(own);
    await writeFile(join(own, '.env'), 'SECRET=mine');
    expect((await run(args)).printed.join('\n')).not.toContain('.env');
    args[1] = join(folder, 'no-settings');
    expect((await run(args)).printed.join('\n')).toContain('cp .env.example .env');
  });

  it('quotes a folder that a shell would take apart', async () => {
    const { printed } = await run(['init', "Ada's market!"], { folder });
    expect(printed).toContain("  cd 'Ada'\\''s market!'");
  });

  it('asks on a terminal for what no flag has named', async () => {
    const asked: string[] = [];
    const choose = async (question: string): Promise<string> => {
      asked.push(question);
      return question.startsWith('Who') ? 'http' : 'postgres';
    };
    const asking = join(folder, 'asking');
    const written = await run(['init', asking, '--facilitator', 'evm'], { isInteractive: true, choose });
    expect(written.exitCode).toBe(0);
    expect(asked).toEqual(['Where the market keeps its data', 'Who resolves markets']);
    expect(await readFile(join(asking, 'src/storage.ts'), 'utf8')).toContain('postgresStorage(');
    const quiet = await run(['init', join(folder, 'quiet'), '--yes'], { isInteractive: true });
    expect(quiet.exitCode).toBe(0);
  });

  it('refuses real money in a memory, whose restart would forget the owners of the money', async () => {
    const never = join(folder, 'never-in-memory');
    const refused = await run(['init', never, '--storage', 'memory', '--facilitator', 'evm']);
    expect(refused).toMatchObject({
      exitCode: 2,
      printed: [],
      told: [expect.stringMatching(/evm takes real money, .* choose sqlite or postgres$/)],
    });
    await expect(stat(never)).rejects.toThrow('ENOENT');
  });

  it('says how to get a first market and money, by lines that work, also at a second start', async () => {
    const readme = await read(DEFAULT, 'README.md');
    const [, lines = ''] = /```ts\n([^]*?)```/.exec(readme) ?? [];
    const { address } = testWallet('reader');
    const test = await createTestMarket({ startAt: Date.now() });
    const AsyncFunction = (async () => undefined).constructor as new (...parts: string[]) => Lines;
    const start = new AsyncFunction('pm', lines.replace('0x…', address));
    for (let time = 0; time < 2; time += 1) await start(test.pm);
    const { markets } = await test.pm.listMarkets();
    expect(markets).toHaveLength(1);
    expect((await test.pm.getBalance({ wallet: address })).balance).toBe(100);
    await test.close();
    expect(readme).toContain('npx express-prediction-market sample');
  });

  it.each(['evm', 'http'] as const)(
    'says that the house needs money where payments are real: %s',
    async (facilitator) => {
      const readme = await read({ ...DEFAULT, facilitator }, 'README.md');
      expect(readme).toContain('The payments are real here');
      const [, call = ''] = /`await pm\.(depositToTreasury\([^`]*)`/.exec(readme) ?? [];
      const test = await createTestMarket();
      const AsyncFunction = (async () => undefined).constructor as new (...parts: string[]) => Lines;
      await new AsyncFunction('pm', `await pm.${call}`)(test.pm);
      expect((await test.pm.getTreasury()).balance).toBe(100);
      await test.close();
    },
  );

  it('refuses a choice that it does not know', async () => {
    const refused = await run(['init', join(folder, 'never'), '--storage', 'mysql']);
    expect(refused).toMatchObject({
      exitCode: 2,
      told: [expect.stringMatching(/--storage .*sqlite, postgres, memory/)],
    });
    await expect(stat(join(folder, 'never'))).rejects.toThrow('ENOENT');
  });
});
