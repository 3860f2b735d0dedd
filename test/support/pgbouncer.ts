import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port';
import { openRawPostgres } from './postgres';
import { until } from './until';

export interface PgBouncer {
  url: string;
  stop(): Promise<void>;
}

const SERVER_CONNECTIONS = 4;

export async function startPgBouncer(program: string, url: string): Promise<PgBouncer> {
  const folder = await mkdtemp(join(tmpdir(), 'pgbouncer-'));
  const behind = new URL(url);
  const port = await freePort();
  const file = join(folder, 'pgbouncer.ini');
  const password = decodeURIComponent(behind.password);
  const server = `host=${behind.hostname} port=${behind.port} user=${behind.username} password='${password}'`;
  const settings = [
    '[databases]',
    `* = ${server}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'auth_type = any',
    'pool_mode = transaction',
    `default_pool_size = ${SERVER_CONNECTIONS}`,
    'max_client_conn = 200',
    'unix_socket_dir =',
    'log_connections = 0',
    'log_disconnections = 0',
  ];
  await writeFile(file, `${settings.join('\n')}\n`);
  // PgBouncer refuses to run as root, and the user under which PgBouncer runs has to read the settings.
  await chmod(folder, 0o755);
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const child = spawn(program, [...user, file], { stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr.on('data', (part: Buffer) => (log += String(part)));
  const exited = once(child, 'exit');
  behind.host = `127.0.0.1:${port}`;
  await until(() => answers(behind.href), { what: () => `PgBouncer: ${log}` });
  return {
    url: behind.href,
    async stop() {
      child.kill('SIGKILL');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function answers(url: string): Promise<boolean> {
  try {
    await (await openRawPostgres(url)).end();
    return true;
  } catch {
    return false;
  }
}
