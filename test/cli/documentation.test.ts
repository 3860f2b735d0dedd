/** Runs every call of docs/command-line.md except `serve`, and expects the exit code 0. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqliteStorage } from '../../adapters/storage/sqlite';
import { createTestMarket } from '../../testing/create-test-market';
import { createProgram } from '../../cli/program';
import { run } from './support';

interface Call {
  line: string;
  variables: Record<string, string>;
  args: string[];
}

async function callsOfDocument(): Promise<Call[]> {
  const page = await readFile('docs/command-line.md', 'utf8');
  const blocks = [...page.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block = '']) => block);
  return blocks
    .flatMap((block) => block.split('\n'))
    .flatMap((line) => {
      const [, before = '', words] = /^(.*?)npx express-prediction-market (.*)$/.exec(line) ?? [];
      if (words === undefined) return [];
      const variables = Object.fromEntries(
        [...before.matchAll(/(\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]),
      );
      const args = [...words.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? plain);
      return [{ line, variables, args }];
    });
}

it('every call runs', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cli-documentation-'));
  const file = join(folder, 'markets.db');
  const environment = { DATABASE_URL: `sqlite:${file}` };
  const asked: string[] = [];
  const fetch = async (address: unknown): Promise<Response> => {
    asked.push(new URL(String(address)).pathname.replace('/api/v2/admin/', ''));
    // The fields by which the commands recognise an audit, a withdrawal, a payment and a list of alarms.
    const answer = { ok: true, checked: {}, amount: 5, nonce: '0x1', reason: null, decision: null };
    return Response.json({ ...answer, alarms: [] });
  };
  const calls = await callsOfDocument();
  let hasKey = false;
  for (const { line, variables, args } of calls.filter(({ args }) => args[0] !== 'serve')) {
    if (args[0] === 'keys' && !hasKey) {
      const test = await createTestMarket({ storage: sqliteStorage({ file }) });
      await test.apiKey(test.wallet('owner'));
      await (await test.pm.consume('books', () => undefined)).stop();
      await test.close();
      hasKey = true;
    }
    const { exitCode, told } = await run(args, {
      folder,
      fetch,
      environment: { ...environment, ...variables },
    });
    const errors = told.filter((text) => !/^(warning|note): /.test(text));
    expect({ line, exitCode, errors }).toEqual({ line, exitCode: 0, errors: [] });
  }
  expect(asked).toEqual([
    ...['audit', 'withdrawals/7/confirm', 'withdrawals/8/fail', 'payments/7/confirm', 'payments/8/reject'],
    'alarms',
  ]);
  await rm(folder, { recursive: true, force: true });
});

it('every command has a section and a call', async () => {
  const page = await readFile('docs/command-line.md', 'utf8');
  const called = new Set((await callsOfDocument()).map(({ args }) => args[0]));
  const nothing = (): never => {
    throw new Error('not called');
  };
  const { commands } = createProgram({
    ...{ environment: {}, folder: '.', isInteractive: false, stop: new AbortController().signal },
    ...{ print: nothing, tell: nothing, choose: nothing, progress: nothing, fetch: nothing },
    isInstalled: nothing,
  });
  for (const name of commands.map((command) => command.name())) {
    expect(page).toContain(`\n## ${name}\n`);
    expect(called).toContain(name);
  }
});
