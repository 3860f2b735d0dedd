/**
 * The memory of a service in which wallets trade: the growth of its resident memory from the first trades to the
 * last on SQLite and Postgres, the bytes that memory storage keeps for each trade, and the slope of the memory in
 * a soak. `BENCH_ONLY=memory,sqlite,postgres,soak` chooses among these runs.
 */
import { startPostgres } from '../../test/support/postgres';
import { bundled, startChild, type Child } from '../child';
import { environmentLine, printGoals, printTable, type Goal } from '../report';
import type { MarketAnswer, MarketQuestion } from './server';

const TRADES = Number(process.env.BENCH_MEMORY_TRADES ?? 1_000_000);
/** Memory storage keeps every trade, so fewer trades are enough to show what a trade costs. */
const KEPT_TRADES = Math.min(TRADES, 200_000);
/** The first trades fill caches, pools and the compiler's memory. Growth counts from their end. */
const WARM_UP_TRADES = Math.min(TRADES, 20_000);
const STEPS = 10;
const SOAK_SECONDS = Number(process.env.BENCH_SOAK_SECONDS ?? 600);
const SOAK_STEPS = 20;
const MB = 1e6;

type Market = Child<MarketQuestion, MarketAnswer>;

/** Starts a service, makes trades in steps, and returns the figures after the warm-up and after each step. */
async function afterTrades(market: Market, count: number, what: string): Promise<MarketAnswer[]> {
  await market.ask({ op: 'start' });
  const looks = [await market.ask({ op: 'trade', count: WARM_UP_TRADES })];
  for (let step = 0; step < STEPS; step += 1)
    looks.push(await market.ask({ op: 'trade', count: Math.ceil(count / STEPS) }));
  printLooks(what, looks);
  return looks;
}

function printLooks(what: string, looks: readonly MarketAnswer[]): void {
  console.log(`\n${what}`);
  printTable(
    ['trades', 'resident MB', 'heap MB'],
    looks.map(({ trades, residentBytes, heapBytes }) => [
      String(trades),
      (residentBytes / MB).toFixed(1),
      (heapBytes / MB).toFixed(1),
    ]),
  );
}

type Size = 'residentBytes' | 'heapBytes';

function growthOf(looks: readonly MarketAnswer[], field: Size): number {
  const [first, last] = [looks[0], looks.at(-1)];
  return first === undefined || last === undefined ? NaN : last[field] - first[field];
}

/** The slope of the line through the second half, in MB for each hour (least squares). */
function slopeOf(looks: readonly MarketAnswer[], field: Size, stepSeconds: number): number {
  const half = looks.slice(looks.length >> 1).map((look) => look[field] / MB);
  const middle = (half.length - 1) / 2;
  const mean = half.reduce((sum, value) => sum + value, 0) / half.length;
  const along = half.reduce((sum, value, index) => sum + (index - middle) * (value - mean), 0);
  const across = half.reduce((sum, _value, index) => sum + (index - middle) ** 2, 0);
  return ((along / across) * 3_600) / stepSeconds;
}

async function soak(market: Market): Promise<Goal> {
  await market.ask({ op: 'start' });
  const stepSeconds = SOAK_SECONDS / SOAK_STEPS;
  const looks: MarketAnswer[] = [];
  for (let step = 0; step < SOAK_STEPS; step += 1)
    looks.push(await market.ask({ op: 'tradeFor', seconds: stepSeconds }));
  printLooks(`SQLite, ${SOAK_SECONDS} s without a pause`, looks);
  const residentSlope = slopeOf(looks, 'residentBytes', stepSeconds);
  console.log(`slope of the resident memory: ${residentSlope.toFixed(1)} MB an hour`);
  // A leak of 10 bytes for each of 5,000 trades a second would be 180 MB an hour.
  return {
    what: 'SQLite, soak: slope of the heap, MB an hour',
    value: slopeOf(looks, 'heapBytes', stepSeconds),
    atMost: 30,
  };
}

async function using<T>(storage: readonly string[], work: (market: Market) => Promise<T>): Promise<T> {
  const market: Market = startChild(await bundled('bench/memory/server.ts'), ...storage);
  const result = await work(market);
  await market.stop();
  return result;
}

async function keptByMemoryStorage(): Promise<Goal> {
  const looks = await using(['memory'], (market) => afterTrades(market, KEPT_TRADES, 'memory storage'));
  const trades = (looks.at(-1)?.trades ?? NaN) - (looks[0]?.trades ?? NaN);
  return {
    what: 'memory storage: bytes of heap for a trade',
    value: growthOf(looks, 'heapBytes') / trades,
    atMost: 600,
  };
}

async function growthOn(what: string, storage: readonly string[]): Promise<Goal> {
  const looks = await using(storage, (market) => afterTrades(market, TRADES, what));
  return { what: `${what}: growth, MB resident`, value: growthOf(looks, 'residentBytes') / MB, atMost: 60 };
}

async function growthOnPostgres(): Promise<Goal> {
  process.env.EMBEDDED_POSTGRES_DURABLE = 'true';
  const server = await startPostgres();
  try {
    return await growthOn('Postgres', ['postgres', server.url, `memory_${process.pid}`]);
  } finally {
    await server.stop();
  }
}

const RUNS: Readonly<Record<string, () => Promise<Goal>>> = {
  memory: keptByMemoryStorage,
  sqlite: () => growthOn('SQLite', ['sqlite']),
  postgres: growthOnPostgres,
  soak: () => using(['sqlite'], soak),
};

export async function benchMemory(): Promise<boolean> {
  console.log(environmentLine(`${TRADES} trades, a soak of ${SOAK_SECONDS} s`));
  const wanted = process.env.BENCH_ONLY?.split(',') ?? Object.keys(RUNS);
  const goals: Goal[] = [];
  for (const [name, run] of Object.entries(RUNS)) if (wanted.includes(name)) goals.push(await run());
  return printGoals(goals);
}
