import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { until } from '../support/until';
import { address, start, type Running } from './support/process';

describe('npm start', () => {
  let running: Running | undefined;
  afterEach(async () => {
    running?.child.kill('SIGKILL');
    await running?.exit;
    running = undefined;
  });

  it('names DATABASE_URL and the reason when there is no database to open', async () => {
    running = start({ DATABASE_URL: `sqlite:${tmpdir()}` });
    expect(await running.exit).toBe(1);
    expect(running.errors()).toMatch(/^cannot start: DATABASE_URL: [^\n]*unable to open[^\n]*\n$/);
  });

  it('ends without an error when it is told to stop while it starts', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'standalone-'));
    try {
      const probe = createServer().listen(0, '127.0.0.1');
      await once(probe, 'listening');
      const { port } = probe.address() as AddressInfo;
      await new Promise((resolve) => probe.close(resolve));
      running = start({ PORT: String(port), DATABASE_URL: `sqlite:${join(folder, 'markets.db')}` });
      let ended = false;
      void running.exit.then(() => (ended = true));
      // The server answers /health before the storage is open.
      const isUp = async (): Promise<boolean> =>
        (await fetch(`http://127.0.0.1:${port}/health`).catch(() => null))?.ok === true;
      await until(async () => (await isUp()) || ended);
      running.child.kill('SIGTERM');
      expect(await running.exit).toBe(0);
      expect(running.errors()).not.toContain('cannot start');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('tells its address, that the money is play money, and the token it made', async () => {
    running = start({});
    const base = await address(running);
    expect(running.errors()).toContain('play money');
    expect(running.errors()).toContain('storage    memory');
    const token = /for this run it is (\S+)/.exec(running.errors())?.[1] ?? '';
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(`${base}/ready`)).status).toBe(200);
    expect((await fetch(`${base}/api/v2/admin/audit`, { headers })).status).toBe(200);
    const socket = new WebSocket(`${base.replace('http', 'ws')}/api/v2/ws`);
    const [welcome] = (await once(socket, 'message')) as [Buffer];
    expect(JSON.parse(welcome.toString())).toMatchObject({ type: 'welcome', heartbeatSeconds: 20 });
    expect(await (await fetch(`${base}/metrics`)).text()).toContain('prediction_market_live_sockets 1');
    const closed = once(socket, 'close');
    running.child.kill('SIGTERM');
    expect((await closed)[0]).toBe(1001);
    expect(await running.exit).toBe(0);
    expect(running.output()).not.toContain('cut off');
    for (const line of running.output().trim().split('\n')) expect(() => void JSON.parse(line)).not.toThrow();
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('ends with 0 on %s, with its storage closed', async (signal) => {
    const folder = mkdtempSync(join(tmpdir(), 'standalone-'));
    try {
      running = start({ DATABASE_URL: `sqlite:${join(folder, 'deep/markets.db')}` });
      await address(running);
      running.child.kill(signal);
      expect(await running.exit).toBe(0);
      expect(running.output()).toContain('"msg":"stopped"');
      expect(existsSync(join(folder, 'deep/markets.db'))).toBe(true);
      // SQLite removes its log when the last connection closes.
      expect(existsSync(join(folder, 'deep/markets.db-wal'))).toBe(false);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('warns when another server uses its SQLite file, and not after that server was killed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'standalone-'));
    const settings = { DATABASE_URL: `sqlite:${join(folder, 'markets.db')}` };
    const warning = 'another server uses this database file';
    const first = start(settings);
    try {
      await address(first);
      expect(first.output()).not.toContain(warning);
      running = start(settings);
      await address(running);
      first.child.kill('SIGKILL');
      running.child.kill('SIGTERM');
      await Promise.all([first.exit, running.exit]);
      expect(running.output()).toContain(warning);
      running = start(settings);
      await address(running);
      running.child.kill('SIGTERM');
      await running.exit;
      expect(running.output()).not.toContain(warning);
      expect(statSync(join(folder, 'markets.db.server')).mode & 0o777).toBe(0o600);
    } finally {
      first.child.kill('SIGKILL');
      running?.child.kill('SIGKILL');
      await Promise.all([first.exit, running?.exit]);
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('lets a request that is under way finish before it ends', async () => {
    running = start({});
    const base = await address(running);
    const text = JSON.stringify({ address: '0x2222222222222222222222222222222222222222', action: 'issue' });
    let finish = (): void => undefined;
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(text.slice(0, 10)));
        finish = () => {
          controller.enqueue(new TextEncoder().encode(text.slice(10)));
          controller.close();
        };
      },
    });
    const options = { method: 'POST', headers: { 'content-type': 'application/json' }, body, duplex: 'half' };
    const answer = fetch(`${base}/api/v2/auth/challenge`, options as RequestInit);
    // The answer to this second request shows that the server has read the bytes that were sent before.
    await fetch(`${base}/health`);
    running.child.kill('SIGTERM');
    while (!running.output().includes('stopping:')) await once(running.child.stdout!, 'data');
    finish();
    expect((await answer).status).toBe(200);
    expect(await running.exit).toBe(0);
  });

  it('ends when npm, which started it, is ended', async () => {
    running = start({}, ['npm', 'start']);
    await address(running);
    // The signal ends npm and its shell. The server itself has to notice that its parent has ended.
    running.child.kill('SIGTERM');
    await running.exit;
    expect(running.output()).toContain('"msg":"stopped"');
  });

  it.each([
    ['PORT', 'http'],
    ['RPC_URL', 'http://localhost'],
    ['DATABASE_URL', 'mysql://localhost'],
  ])('does not start with %s=%s, and says so in one line', async (name, value) => {
    running = start({ [name]: value });
    expect(await running.exit).toBe(1);
    expect(running.errors()).toMatch(new RegExp(`^cannot start: ${name}: [^\\n]+\\n$`));
    expect(running.output()).toBe('');
  });

  it('names every wrong setting in a line of its own', async () => {
    running = start({ PORT: 'http', LOG_LEVEL: 'loud' });
    expect(await running.exit).toBe(1);
    expect(running.errors()).toMatch(/^cannot start: PORT: [^\n]+\ncannot start: LOG_LEVEL: [^\n]+\n$/);
  });

  it('says in one line that the port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    try {
      running = start({ PORT: String(port) });
      expect(await running.exit).toBe(1);
      expect(running.errors()).toMatch(new RegExp(`^cannot start: PORT: [^\\n]*${port}[^\\n]*\\n$`));
    } finally {
      other.close();
    }
  });
});
