/**
 * `npm run chaos -- --seconds 60 [--seed n]` runs two instances and three processes that trade through them,
 * and kills one of these five processes again and again. The exit code is 1 when a trade was lost or doubled, an event
 * is missing, or the audit finds a difference.
 *
 * `npm run chaos -- --live [--sqlite] [--clients 500] [--kills 6] [--seconds 30] [--seed n]` cuts sockets at
 * random and kills instances while trades are made. The exit code is 1 when a client has lost, doubled or
 * reordered a message.
 *
 * `npm run chaos -- --payments [--seconds 60] [--seed n]` kills workers and servers of `npm start` while wallets pay on
 * a chain. The exit code is 1 when the money on the chain, the answers and the books do not agree. It needs anvil and
 * redis-server.
 *
 * With `--sqlite` there is one instance over a file. Otherwise the Postgres at TEST_POSTGRES_URL or a temporary one is
 * used.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runPaymentChaos } from '../test/crash/workers/chaos';
import { runLiveChaos } from '../test/live/chaos/chaos';
import { freshDatabase, startPostgres } from '../test/support/postgres';
import { locate } from '../test/support/optional';
import { RUN_FOLDER } from '../test/support/run-folder';
import { forSeconds, runChaos } from '../test/postgres-operations/support/chaos';
import { environmentLine } from './report';

const { values } = parseArgs({
  options: {
    live: { type: 'boolean', default: false },
    payments: { type: 'boolean', default: false },
    sqlite: { type: 'boolean', default: false },
    clients: { type: 'string', default: '500' },
    kills: { type: 'string', default: '6' },
    seconds: { type: 'string' },
    seed: { type: 'string' },
  },
});
const { live, payments, sqlite } = values;
const seconds = Number(values.seconds ?? (live ? 30 : 60));
const seed = Number(values.seed ?? Date.now());
const [clients, kills] = [Number(values.clients), Number(values.kills)];
if (
  !(seconds > 0) ||
  ![seed, clients, kills].every(Number.isSafeInteger) ||
  (sqlite && !live) ||
  (live && payments)
)
  throw new Error(
    'usage: [--payments | --live [--sqlite] [--clients n] [--kills n]] --seconds <n> --seed <integer>',
  );

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

async function paymentChaos(databaseUrl: string): Promise<void> {
  const programs = { anvil: locate('anvil'), redis: locate('redis') };
  const { anvil, redis } = programs;
  if (anvil === null || redis === null)
    throw new Error(`not found: ${anvil === null ? 'anvil' : 'redis-server'}`);
  console.log(environmentLine(`${seconds} s, seed ${seed}`));
  const report = await runPaymentChaos({ databaseUrl, anvil, redis, seconds, seed, log });
  const { kills, deposits, feeds, others } = report;
  console.log(`killed ${kills.workers} workers and ${kills.servers} servers`);
  console.log(
    `each of ${deposits} deposits and ${feeds} feeds was charged once and answered; the books agree`,
  );
  console.log(`other answers: ${JSON.stringify(Object.fromEntries(others))}`);
}

/** Gives the run a folder for bundles of the killed programs, so that no program is compiled at each start. */
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

await withBundles(() => (sqlite ? onSqlite : onPostgres)(live ? liveChaos : payments ? paymentChaos : chaos));
