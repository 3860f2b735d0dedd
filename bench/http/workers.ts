/**
 * Compares the server of `npm start` with one process and with one worker for each core, over the same Postgres and
 * Redis. The load generator uses the same cores, so the rate is lower than with a generator on another machine.
 */
import { availableParallelism } from 'node:os';
import { locate } from '../../test/support/optional';
import { startPostgres } from '../../test/support/postgres';
import { openRedis } from '../../test/support/redis';
import { median, environmentLine, printTable } from '../report';
import { MARKETS, PATHS, type Call } from './calls';
import { load, requireWrk, type Load, type Target } from './load';
import { startStandalone, type RunningServer } from './servers';

const SECONDS = Number(process.env.BENCH_SECONDS ?? 3);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);

const CALLS: Record<string, { call: Call; method: 'GET' | 'POST'; markets: number }> = {
  'GET, one market': { call: 'market', method: 'GET', markets: 1 },
  'POST trade, one market': { call: 'trade', method: 'POST', markets: 1 },
  [`POST trade, ${MARKETS} markets`]: { call: 'trade', method: 'POST', markets: MARKETS },
};

interface Measured {
  workers: number;
  what: string;
  loads: Load[];
}

function targetOf(what: string, { pid, port, apiKey, marketId }: RunningServer): Target {
  const asked = CALLS[what];
  if (asked === undefined) throw new Error(`there is no call ${what}`);
  const { call, method, markets } = asked;
  return { pid, url: `http://127.0.0.1:${port}${PATHS[call](marketId)}`, apiKey, method, markets };
}

async function measure(servers: ReadonlyMap<number, RunningServer>): Promise<Measured[]> {
  const rows = Object.keys(CALLS).flatMap((what) =>
    [...servers.keys()].map((workers): Measured => ({ workers, what, loads: [] })),
  );
  const serverOf = (workers: number): RunningServer => {
    const server = servers.get(workers);
    if (server === undefined) throw new Error(`no server with ${workers} workers`);
    return server;
  };
  for (const { workers, what } of rows) await load(targetOf(what, serverOf(workers)), 1);
  for (let round = 0; round < ROUNDS; round += 1)
    for (const { workers, what, loads } of rows)
      loads.push(await load(targetOf(what, serverOf(workers)), SECONDS));
  return rows;
}

function print(rows: readonly Measured[]): void {
  const one = (what: string): Load[] =>
    rows.find((row) => row.what === what && row.workers === 1)?.loads ?? [];
  printTable(
    ['what', 'workers', 'CPU, µs', 'wrk, µs', 'requests/s', 'p99', 'CPU to one', 'rate to one'],
    rows.map(({ what, workers, loads }) => {
      const middle = (of: (each: Load) => number): number => median(loads.map(of));
      const toOne = (of: (each: Load) => number): string =>
        median(loads.map((each, round) => of(each) / of(one(what)[round] ?? each))).toFixed(2);
      return [
        what,
        String(workers),
        middle(({ cpuMicros }) => cpuMicros).toFixed(0),
        middle(({ loadCpuMicros }) => loadCpuMicros).toFixed(0),
        middle(({ rate }) => rate).toFixed(0),
        `${middle(({ p99Ms }) => p99Ms).toFixed(0)} ms`,
        toOne(({ cpuMicros }) => cpuMicros),
        toOne(({ rate }) => rate),
      ];
    }),
  );
}

export async function benchWorkers(): Promise<void> {
  requireWrk();
  const program = locate('redis');
  if (program === null) throw new Error('this bench needs redis-server: apt-get install redis-server');
  console.log(environmentLine(`wrk, ${ROUNDS} rounds of ${SECONDS} s`));
  process.env.EMBEDDED_POSTGRES_DURABLE = 'true';
  const postgres = await startPostgres();
  const redis = await openRedis(program);
  const servers = new Map<number, RunningServer>();
  try {
    const environment = { DATABASE_URL: postgres.url, REDIS_URL: redis.url };
    for (const workers of [1, availableParallelism()])
      servers.set(workers, await startStandalone({ ...environment, WORKERS: String(workers) }));
    print(await measure(servers));
  } finally {
    for (const server of servers.values()) await server.stop();
    await redis.stop();
    await postgres.stop();
  }
}
