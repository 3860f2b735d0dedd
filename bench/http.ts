/**
 * Requests per second over HTTP. Each figure is compared with a baseline that is measured in turn (ours, base,
 * ours, base, …) in one run. The result is the median of the pairwise ratios, because the speed of the machine
 * drifts and the ratio of neighbours hardly does. GET market and POST trade are compared with a bare Express
 * route that answers the same JSON from a process of its own. On Postgres, POST trade is also compared with a
 * no-op POST route and with one transaction for each trade, both in the same app.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { createRequire } from 'node:module';
import autocannon from 'autocannon';
import { locate } from '../test/support/optional';
import { startPostgres } from '../test/support/postgres';
import { openRedis } from '../test/support/redis';
import type { ServerInfo } from './server';
import { environmentLine, median, printTable } from './report';

/** autocannon runs in this process, so both sides of a comparison pay for its share of the machine. */
const CONNECTIONS = 50;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 4);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const WARM_UP_SECONDS = 1;

interface RunningServer extends ServerInfo {
  stop(): void;
}

const tsx = createRequire(import.meta.url).resolve('tsx/cli');

async function startServer(
  variant: string,
  environment: Record<string, string> = {},
): Promise<RunningServer> {
  const child: ChildProcess = spawn(process.execPath, [tsx, 'bench/server.ts', variant], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production', ...environment },
  });
  if (child.stdout === null) throw new Error('a server without output');
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('{')) {
      return { ...(JSON.parse(line) as ServerInfo), stop: () => child.stdin?.end() };
    }
  }
  throw new Error(`the ${variant} server ended before it listened`);
}

interface Target {
  server: ServerInfo;
  method: 'GET' | 'POST';
  path: string;
}

const marketPath = ({ marketId }: ServerInfo): string => `/api/v2/public/markets/${marketId}`;
const getMarket = (server: ServerInfo): Target => ({ server, method: 'GET', path: marketPath(server) });
const postTo = (server: ServerInfo, path = `${marketPath(server)}/trade`): Target => ({
  server,
  method: 'POST',
  path,
});

const headersOf = (server: ServerInfo): Record<string, string> => ({
  'x-api-key': server.apiKey,
  'content-type': 'application/json',
});
const urlOf = ({ server, path }: Target): string => `http://127.0.0.1:${server.port}${path}`;
/** The trades buy both sides in turn, so that the price stays near the middle in a long bench. */
const TRADES = ['YES', 'NO'].map((side) => JSON.stringify({ side, amount: 1 }));

async function load(target: Target, seconds: number): Promise<{ rate: number; p99: number }> {
  const { method } = target;
  const result = await autocannon({
    url: urlOf(target),
    connections: CONNECTIONS,
    duration: seconds,
    headers: headersOf(target.server),
    requests: method === 'GET' ? [{ method }] : TRADES.map((body) => ({ method, body })),
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${result.non2xx} refusals and ${result.errors} errors: the figures would mean nothing`);
  }
  return { rate: result.requests.average, p99: result.latency.p99 };
}

async function answerOf(target: Target): Promise<string> {
  const { method, server } = target;
  const body = method === 'GET' ? {} : { body: TRADES[0] ?? '' };
  return (await fetch(urlOf(target), { method, headers: headersOf(server), ...body })).text();
}

interface Comparison {
  what: string;
  ours: Target;
  baseline: string;
  base: Target;
}

async function measure({ what, ours, baseline, base }: Comparison): Promise<string[]> {
  await load(ours, WARM_UP_SECONDS);
  await load(base, WARM_UP_SECONDS);
  const pairs: { ours: number; base: number; p99: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const mine = await load(ours, SECONDS);
    const other = await load(base, SECONDS);
    pairs.push({ ours: mine.rate, base: other.rate, p99: mine.p99 });
  }
  const middle = (of: (pair: (typeof pairs)[number]) => number): number => median(pairs.map(of));
  return [
    what,
    middle((pair) => pair.ours).toFixed(0),
    `${middle((pair) => pair.p99).toFixed(0)} ms`,
    baseline,
    middle((pair) => pair.base).toFixed(0),
    middle((pair) => pair.ours / pair.base).toFixed(2),
  ];
}

type Compare = (ours: RunningServer, bare: RunningServer) => Comparison[];

/** Starts a market and a bare app with the same answers, and measures both. */
async function onServers(
  variant: string,
  environment: Record<string, string>,
  compare: Compare,
): Promise<string[][]> {
  const ours = await startServer(variant, environment);
  const answers = { BARE_GET: await answerOf(getMarket(ours)), BARE_POST: await answerOf(postTo(ours)) };
  // The app keeps this answer, and its no-op route repeats it.
  await answerOf(postTo(ours, '/alone'));
  const bare = await startServer('bare', answers);
  try {
    const rows: string[][] = [];
    for (const comparison of compare(ours, bare)) rows.push(await measure(comparison));
    return rows;
  } finally {
    ours.stop();
    bare.stop();
  }
}

const besideBare =
  (storage: string): Compare =>
  (ours, bare) => [
    {
      what: `GET market, ${storage}`,
      ours: getMarket(ours),
      baseline: 'bare Express',
      base: getMarket(bare),
    },
    { what: `POST trade, ${storage}`, ours: postTo(ours), baseline: 'bare Express', base: postTo(bare) },
  ];

const besideOwnApp: Compare = (ours) => [
  {
    what: 'POST trade, postgres',
    ours: postTo(ours),
    baseline: 'no-op POST, same app',
    base: postTo(ours, '/no-op'),
  },
  {
    what: 'POST trade, postgres',
    ours: postTo(ours),
    baseline: 'one transaction per trade',
    base: postTo(ours, '/alone'),
  },
];

async function onPostgres(): Promise<string[][]> {
  process.env.EMBEDDED_POSTGRES_DURABLE = 'true';
  const server = await startPostgres();
  const redisProgram = locate('redis');
  const redis = redisProgram === null ? null : await openRedis(redisProgram);
  const environment = { POSTGRES_URL: server.url };
  try {
    const rows = await onServers('postgres', environment, (ours, bare) => [
      ...besideBare('postgres')(ours, bare),
      ...besideOwnApp(ours, bare),
    ]);
    if (redis === null) return rows;
    const withRedis = { ...environment, REDIS_URL: redis.url };
    return [...rows, ...(await onServers('postgres', withRedis, besideBare('postgres, limits in Redis')))];
  } finally {
    await redis?.stop();
    await server.stop();
  }
}

export async function benchHttp(): Promise<void> {
  console.log(
    environmentLine(`${CONNECTIONS} connections, ${ROUNDS} rounds of ${SECONDS} s, load in another process`),
  );
  const rows = await onPostgres();
  for (const storage of ['memory', 'sqlite'])
    rows.push(...(await onServers(storage, {}, besideBare(storage))));
  printTable(['what', 'requests/s', 'p99', 'beside', 'requests/s', 'ratio'], rows);
}
