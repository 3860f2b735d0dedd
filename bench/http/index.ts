/**
 * Measures what a request costs: processor time and rate. The library in an Express app and the server of `npm start`
 * are compared with bare Express, which sends the same bodies and headers. Each round measures all targets, and a ratio
 * is the median of the ratios of the rounds.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { locate } from '../../test/support/optional';
import { startPostgres } from '../../test/support/postgres';
import { openRedis } from '../../test/support/redis';
import { environmentLine, printTable } from '../report';
import { CONNECTIONS, load, requireWrk, type Load, type Target } from './load';
import { summaryOf, writeResult, type Row } from './result';
import { MARKETS, PATHS, type BareRoute, type Call } from './calls';
import { answerOf, startBenchServer, startStandalone, type RunningServer } from './servers';

const SECONDS = Number(process.env.BENCH_SECONDS ?? 3);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const WARM_UP_SECONDS = 1;
/** BENCH_ONLY=memory measures one storage. */
const STORAGES = (process.env.BENCH_ONLY ?? 'memory,sqlite,postgres,redis').split(',');

/** BENCH_CALLS=list measures one kind of call. */
const CALLS = (process.env.BENCH_CALLS ?? 'market,list,trade').split(',') as Call[];
const NAMES: Record<Call, string> = {
  market: 'GET market',
  list: `GET ${MARKETS} markets`,
  trade: 'POST trade',
};

/** `prefix` begins the path of a request to bare Express, and names the server that bare Express imitates. */
function target(call: Call, { pid, port, apiKey }: RunningServer, marketId: number, prefix = ''): Target {
  const url = `http://127.0.0.1:${port}${prefix}${PATHS[call](marketId)}`;
  return { pid, url, apiKey, method: call === 'trade' ? 'POST' : 'GET' };
}

/** A target, and the name of the baseline of its ratio. A baseline names itself. */
interface Measured {
  what: string;
  target: Target;
  beside: string;
}

async function measure(all: readonly Measured[]): Promise<Row[]> {
  for (const { target: warm } of all) await load(warm, WARM_UP_SECONDS);
  const rounds: Map<string, Load>[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const loads = new Map<string, Load>();
    for (const { what, target: ours } of all) loads.set(what, await load(ours, SECONDS));
    rounds.push(loads);
  }
  return all.map(({ what, beside }) => summaryOf(what, beside, rounds));
}

interface Servers {
  library: RunningServer;
  standalone: RunningServer;
}

/** Bare Express with the answers of both servers. */
async function startBare(servers: Servers): Promise<RunningServer> {
  const answers = Object.entries(servers).map(async ([name, server]: [string, RunningServer]) => {
    const answer = (call: Call) => answerOf(target(call, server, server.marketId));
    const route: BareRoute = {
      market: await answer('market'),
      list: await answer('list'),
      trade: await answer('trade'),
    };
    return [name, route] as const;
  });
  // A list of markets is too long for an environment variable, so the answers are in a file.
  const BARE_ANSWERS = join(mkdtempSync(join(tmpdir(), 'prediction-market-bench-')), 'answers.json');
  writeFileSync(BARE_ANSWERS, JSON.stringify(Object.fromEntries(await Promise.all(answers))));
  const bare = await startBenchServer('bare', { BARE_ANSWERS });
  rmSync(dirname(BARE_ANSWERS), { recursive: true });
  return bare;
}

function targetsOf(
  call: Call,
  storage: string,
  { library, standalone }: Servers,
  bare: RunningServer,
): Measured[] {
  const name = (server: string): string => `${NAMES[call]}, ${storage}, ${server}`;
  const besides = (server: keyof Servers, running: RunningServer): Measured[] => [
    {
      what: name(`bare as ${server}`),
      target: target(call, bare, running.marketId, `/${server}`),
      beside: name(`bare as ${server}`),
    },
    {
      what: name(server),
      target: target(call, running, running.marketId),
      beside: name(`bare as ${server}`),
    },
  ];
  return [...besides('library', library), ...besides('standalone', standalone)];
}

async function onStorage(
  storage: string,
  variant: string,
  environments: { library: Record<string, string>; standalone: Record<string, string> },
): Promise<Row[]> {
  const library = await startBenchServer(variant, environments.library);
  const standalone = await startStandalone(environments.standalone);
  const servers = { library, standalone };
  const bare = await startBare(servers);
  try {
    const rows: Row[] = [];
    for (const call of CALLS) rows.push(...(await measure(targetsOf(call, storage, servers, bare))));
    if (storage === 'postgres' && CALLS.includes('trade'))
      rows.push(...(await measure(tradesAlone(library))));
    return rows;
  } finally {
    for (const server of [library, standalone, bare]) await server.stop();
  }
}

/** A trade beside the same trade in a transaction of its own. */
function tradesAlone(library: RunningServer): Measured[] {
  const { pid, port, apiKey } = library;
  const what = 'POST trade, postgres, one transaction per trade';
  const ours = 'POST trade, postgres, library again';
  const url = `http://127.0.0.1:${port}/alone`;
  return [
    { what, target: { pid, url, apiKey, method: 'POST' }, beside: what },
    { what: ours, target: target('trade', library, library.marketId), beside: what },
  ];
}

async function onPostgres(): Promise<Row[]> {
  process.env.EMBEDDED_POSTGRES_DURABLE = 'true';
  const server = await startPostgres();
  const program = STORAGES.includes('redis') ? locate('redis') : null;
  const redis = program === null ? null : await openRedis(program);
  const environments = (more: Record<string, string> = {}) => ({
    library: { POSTGRES_URL: server.url, ...more },
    standalone: { DATABASE_URL: server.url, ...more },
  });
  try {
    const rows = STORAGES.includes('postgres') ? await onStorage('postgres', 'postgres', environments()) : [];
    if (redis === null) return rows;
    const withRedis = environments({ REDIS_URL: redis.url });
    return [...rows, ...(await onStorage('postgres with limits in Redis', 'postgres', withRedis))];
  } finally {
    await redis?.stop();
    await server.stop();
  }
}

export async function benchHttp(): Promise<void> {
  requireWrk();
  const setting = environmentLine(`wrk, ${CONNECTIONS} connections, ${ROUNDS} rounds of ${SECONDS} s`);
  console.log(setting);
  const rows: Row[] = [];
  if (STORAGES.includes('memory'))
    rows.push(
      ...(await onStorage('memory', 'memory', { library: {}, standalone: { DATABASE_URL: 'memory:' } })),
    );
  if (STORAGES.includes('sqlite'))
    rows.push(...(await onStorage('sqlite', 'sqlite', { library: {}, standalone: {} })));
  if (STORAGES.includes('postgres') || STORAGES.includes('redis')) rows.push(...(await onPostgres()));
  printTable(
    ['what', 'CPU, µs', 'from - to', 'wrk, µs', 'requests/s', 'p99', 'CPU to bare', 'rate to bare'],
    rows.map((row) => [
      row.what,
      row.cpuMicros.toFixed(0),
      `${row.cpuLeast.toFixed(0)} - ${row.cpuMost.toFixed(0)}`,
      row.loadCpuMicros.toFixed(0),
      row.rate.toFixed(0),
      `${row.p99Ms.toFixed(0)} ms`,
      row.what === row.beside ? '' : row.cpuRatio.toFixed(2),
      row.what === row.beside ? '' : row.rateRatio.toFixed(2),
    ]),
  );
  writeResult(setting, rows);
}
