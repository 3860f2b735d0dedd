/**
 * `npm run chaos -- --seconds 60 [--seed n]` runs two instances and three processes that trade through them,
 * and kills one of the five again and again. The exit code is 1 when a trade was lost or doubled, an event is
 * missing, or the audit finds a difference.
 *
 * `npm run chaos -- --live [--sqlite] [--clients 500] [--kills 6] [--seconds 30] [--seed n]` cuts sockets at
 * random and kills instances while trades are made. The exit code is 1 when a client has lost, doubled or
 * reordered a message.
 *
 * Both use the Postgres at TEST_POSTGRES_URL or a temporary one. With `--sqlite` there is one instance over a
 * file.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runLiveChaos } from '../test/live/chaos/chaos';
import { freshDatabase, startPostgres } from '../test/support/postgres';
import { RUN_FOLDER } from '../test/support/run-folder';
import { forSeconds, runChaos } from '../test/postgres-operations/support/chaos';
import { environmentLine } from './report';

const { values } = parseArgs({
  options: {
    live: { type: 'boolean', default: false },
    sqlite: { type: 'boolean', default: false },
    clients: { type: 'string', default: '500' },
    kills: { type: 'string', default: '6' },
    seconds: { type: 'string' },
    seed: { type: 'string' },
  },
});
const { live, sqlite } = values;
const seconds = Number(values.seconds ?? (live ? 30 : 60));
const seed = Number(values.seed ?? Date.now());
const [clients, kills] = [Number(values.clients), Number(values.kills)];
if (!(seconds > 0) || ![seed, clients, kills].every(Number.isSafeInteger) || (sqlite && !live))
  throw new Error('usage: [--live [--sqlite] [--clients n] [--kills n]] --seconds <n> --seed <integer>');

const log = (line: string): void => console.log(line);

async function onPostgres(use: (url: string) => Promise<void>): Promise<void> {
  const server = await startPostgres();
  const database = await freshDatabase(server.url);
  try {
    await use(database.url);
  } finally {
    await database.drop();
    await server.stop();
  }
}

async function onSqlite(use: (file: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'prediction-market-chaos-'));
  try {
    await use(join(folder, 'markets.db'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function liveChaos(database: string): Promise<void> {
  const instances = sqlite ? 1 : 2;
  const size = { instances, clients, seconds, kills, cutsPerClient: 6 };
  console.log(environmentLine(`seed ${seed}, ${JSON.stringify(size)}`));
  await runLiveChaos({ ...size, database, killAll: true, clockSpeed: 1, seed, log });
  console.log('every client has every message once and in order');
}

async function chaos(databaseUrl: string): Promise<void> {
  console.log(`${seconds} s of chaos, seed ${seed}`);
  const report = await runChaos({ databaseUrl, seed, goOn: forSeconds(seconds), log });
  console.log(`books clean: ${JSON.stringify(report)}`);
}

/**
 * Bundles the programs that are killed. A bundle starts at once, but a source file would be compiled at each
 * start.
 */
async function withBundles(use: () => Promise<void>): Promise<void> {
  const home = join(process.cwd(), '.tmp');
  mkdirSync(home, { recursive: true });
  const folder = mkdtempSync(join(home, 'chaos-'));
  process.env[RUN_FOLDER] = folder;
  try {
    await use();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

await withBundles(() => (sqlite ? onSqlite : onPostgres)(live ? liveChaos : chaos));
