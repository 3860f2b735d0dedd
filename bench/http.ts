/**
 * Requests per second of GET market and POST trade, each beside a bare Express route that answers the
 * same JSON, measured in turn (ours, bare, ours, bare, …) in one run. What is quoted is the median of the
 * pairwise ratios: the machine's speed drifts, the ratio of neighbours much less.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { createRequire } from 'node:module';
import autocannon from 'autocannon';
import type { ServerInfo } from './server';
import { environmentLine, median, printTable } from './report';

const CONNECTIONS = 50;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 4);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);

interface RunningServer extends ServerInfo {
  process: ChildProcess;
}

const tsx = createRequire(import.meta.url).resolve('tsx/cli');

async function startServer(
  variant: string,
  environment: Record<string, string> = {},
): Promise<RunningServer> {
  const child = spawn(process.execPath, [tsx, 'bench/server.ts', variant], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production', ...environment },
  });
  const lines = createInterface({ input: child.stdout });
  for await (const line of lines) {
    if (line.startsWith('{')) return { ...(JSON.parse(line) as ServerInfo), process: child };
  }
  throw new Error(`the ${variant} server ended before it listened`);
}

const marketUrl = (server: ServerInfo): string =>
  `http://127.0.0.1:${server.port}/api/v2/public/markets/${server.marketId}`;

async function load(
  server: ServerInfo,
  kind: 'get' | 'post',
  seconds: number,
): Promise<{ rate: number; p99: number }> {
  const headers = { 'x-api-key': server.apiKey, 'content-type': 'application/json' };
  const result = await autocannon({
    url: kind === 'get' ? marketUrl(server) : `${marketUrl(server)}/trade`,
    connections: CONNECTIONS,
    duration: seconds,
    headers,
    // Both sides in turn, so that the price stays near the middle however long the bench runs.
    requests:
      kind === 'get'
        ? [{ method: 'GET' }]
        : ['YES', 'NO'].map((side) => ({ method: 'POST', body: JSON.stringify({ side, amount: 1 }) })),
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${result.non2xx} refusals and ${result.errors} errors: the figures would mean nothing`);
  }
  return { rate: result.requests.average, p99: result.latency.p99 };
}

async function sample(server: ServerInfo): Promise<{ get: string; post: string }> {
  const headers = { 'x-api-key': server.apiKey, 'content-type': 'application/json' };
  const get = await (await fetch(marketUrl(server), { headers })).text();
  const trade = await fetch(`${marketUrl(server)}/trade`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ side: 'YES', amount: 1 }),
  });
  return { get, post: await trade.text() };
}

export async function benchHttp(): Promise<void> {
  console.log(
    environmentLine(`${CONNECTIONS} connections, ${ROUNDS} rounds of ${SECONDS} s, load in another process`),
  );
  const rows: string[][] = [];
  for (const storage of ['memory', 'sqlite']) {
    const ours = await startServer(storage);
    const json = await sample(ours);
    const bare = await startServer('bare', { BARE_GET: json.get, BARE_POST: json.post });
    try {
      for (const kind of ['get', 'post'] as const) {
        await load(ours, kind, 1);
        await load(bare, kind, 1);
        const pairs: { ours: number; bare: number; p99: number }[] = [];
        for (let round = 0; round < ROUNDS; round += 1) {
          const mine = await load(ours, kind, SECONDS);
          const base = await load(bare, kind, SECONDS);
          pairs.push({ ours: mine.rate, bare: base.rate, p99: mine.p99 });
        }
        rows.push([
          kind === 'get' ? 'GET market' : 'POST trade',
          storage,
          median(pairs.map((pair) => pair.ours)).toFixed(0),
          median(pairs.map((pair) => pair.bare)).toFixed(0),
          median(pairs.map((pair) => pair.ours / pair.bare)).toFixed(2),
          `${median(pairs.map((pair) => pair.p99)).toFixed(0)} ms`,
        ]);
      }
    } finally {
      ours.process.stdin?.end();
      bare.process.stdin?.end();
    }
  }
  printTable(['route', 'storage', 'requests/s', 'bare Express', 'ratio', 'p99'], rows);
}
