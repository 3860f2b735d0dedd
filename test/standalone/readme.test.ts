/** The README's example does what it says: it serves the market and the pages, and ends when it is told to. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { freePort } from '../support/free-port';
import { until } from '../support/until';

const folder = join(process.cwd(), '.tmp', `readme-${process.pid}`);
let data: string;
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'readme-'));
  await mkdir(folder, { recursive: true });
});
afterAll(async () => {
  for (const made of [folder, data]) await rm(made, { recursive: true, force: true });
});

it("the README's example runs as it stands", async () => {
  const readme = await readFile(join(process.cwd(), 'README.md'), 'utf8');
  const example = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  const port = await freePort();
  const code = example
    .replace('listen(3000)', `listen(${port}, '127.0.0.1')`)
    .replace('data/markets.db', join(data, 'new/markets.db'));
  const file = join(folder, 'market.mts');
  await writeFile(file, code);
  const child = spawn(process.execPath, ['--import', 'tsx', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (part: Buffer) => (errors += part.toString()));
  const exit = once(child, 'close');
  try {
    const answers = async (path: string): Promise<boolean> =>
      child.exitCode !== null ||
      (await fetch(`http://127.0.0.1:${port}${path}`).catch(() => null))?.ok === true;
    await until(() => answers('/api/v2/ready'));
    expect([child.exitCode, errors.replace(/^.*PLAY_MONEY.*\n.*\n/, '')]).toEqual([null, '']);
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200);
    const socket = new WebSocket(`ws://127.0.0.1:${port}/api/v2/ws`);
    const [welcome] = (await once(socket, 'message')) as [Buffer];
    expect(JSON.parse(welcome.toString())).toMatchObject({ type: 'welcome', seq: 0 });
    const closed = once(socket, 'close');
    child.kill('SIGTERM');
    expect((await closed)[0]).toBe(1001);
    expect(await exit).toEqual([0, null]);
  } finally {
    child.kill('SIGKILL');
    await exit;
  }
}, 60_000);
