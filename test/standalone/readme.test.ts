import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { WebSocket } from 'ws';
import { freePort } from '../support/free-port';
import { until } from '../support/until';
import { snippetsOf } from '../documents/snippets';

const folder = join(process.cwd(), '.tmp', `readme-${process.pid}`);
let data: string;
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'readme-'));
  await mkdir(folder, { recursive: true });
});
afterAll(async () => {
  for (const made of [folder, data]) await rm(made, { recursive: true, force: true });
});

interface Example {
  child: ChildProcessByStdio<null, null, Readable>;
  port: number;
  errors: string;
  exit: Promise<unknown[]>;
}

/** Starts the first example of a document as a program. `given` declares what the reader has to add. */
async function startExample(page: string, given = '', more = ''): Promise<Example> {
  const text = await readFile(join(process.cwd(), page), 'utf8');
  const [, example = ''] = /```(?:ts|js)\n([\s\S]*?)```/.exec(text) ?? [];
  const port = await freePort();
  const code = example
    .replace('listen(3000)', `listen(${port}, '127.0.0.1')`)
    .replace('data/markets.db', join(data, `${String(port)}/markets.db`));
  const file = join(folder, `market-${String(port)}.mts`);
  await writeFile(file, `${given}${code}${more}`);
  const child = spawn(process.execPath, ['--import', 'tsx', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  const started: Example = { child, port, errors: '', exit: once(child, 'close') };
  child.stderr.on('data', (part: Buffer) => (started.errors += part.toString()));
  const answers = async (): Promise<boolean> =>
    child.exitCode !== null ||
    (await fetch(`http://127.0.0.1:${port}/api/v2/ready`).catch(() => null))?.ok === true;
  await until(answers);
  return started;
}

async function end({ child, exit }: Example): Promise<void> {
  child.kill('SIGKILL');
  await exit;
}

it("the README's example runs as it stands", async () => {
  const example = await startExample('README.md');
  const { child, port, errors } = example;
  try {
    expect([child.exitCode, errors.replace(/^.*PLAY_MONEY.*\n.*\n/, '')]).toEqual([null, '']);
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200);
    const socket = new WebSocket(`ws://127.0.0.1:${port}/api/v2/ws`);
    const [welcome] = (await once(socket, 'message')) as [Buffer];
    expect(JSON.parse(welcome.toString())).toMatchObject({ type: 'welcome', seq: 0 });
    socket.terminate();
  } finally {
    await end(example);
  }
}, 60_000);

it("the README's own market is open for trade", async () => {
  const [block] = snippetsOf('README.md').filter(({ kind }) => kind === 'own-market');
  const example = await startExample('README.md', '', block?.code);
  try {
    const page = async (): Promise<string> =>
      (await fetch(`http://127.0.0.1:${example.port}/market/1`)).text();
    await until(async () => example.child.exitCode !== null || /Paris/.test(await page()));
    expect(await page()).toContain('Will it rain in Paris tomorrow?');
  } finally {
    await end(example);
  }
}, 60_000);

it('the example of docs/embedding.md ends its sockets and itself on SIGTERM', async () => {
  const given =
    'const hostAuth = (_request: unknown, response: { sendStatus(status: number): void }) => response.sendStatus(401);\n';
  const example = await startExample('docs/embedding.md', given);
  const { child, port, exit } = example;
  try {
    expect((await fetch(`http://127.0.0.1:${port}/ops/audit`)).status).toBe(401);
    const socket = new WebSocket(`ws://127.0.0.1:${port}/api/v2/ws`);
    await once(socket, 'message');
    const closed = once(socket, 'close');
    child.kill('SIGTERM');
    expect((await closed)[0]).toBe(1001);
    expect(await exit).toEqual([0, null]);
  } finally {
    await end(example);
  }
}, 60_000);
