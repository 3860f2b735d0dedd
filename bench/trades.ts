/**
 * Trades per second on one Postgres, in one run, compared with other work of the same machine: (a) the same
 * trade with the same statements, one transaction for each trade; (b) the TPC-B-like script of pgbench,
 * prepared; (c) the rate of plain INSERT and COMMIT. On SQLite, the baseline is one transaction for each trade,
 * through the driver directly and through the adapter.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Storage } from 'express-prediction-market';
import { postgresStorage } from 'express-prediction-market/storage/postgres';
import { sqliteStorage } from 'express-prediction-market/storage/sqlite';
import { runTradeBatch, tradeOrder } from '../src/usecases/trading/batch-transaction';
import { startPostgres } from '../test/support/postgres';
import { contextOver, openExchange, orderOf, walletOf, type Exchange } from './exchange';
import { closedLoop, type LoadResult } from './load';
import { insertRate, pgbenchRate } from './postgres-baselines';
import { environmentLine, median, printTable } from './report';
import { overTheDriver } from './sqlite-driver';

const SECONDS = Number(process.env.BENCH_SECONDS ?? 4);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const CLIENTS = [32, 256, 1000];
const MARKETS = 1000;

async function rounds(run: () => Promise<LoadResult>): Promise<LoadResult> {
  const results: LoadResult[] = [];
  for (let round = 0; round < ROUNDS; round += 1) results.push(await run());
  const middle = (of: keyof LoadResult): number => median(results.map((result) => result[of]));
  return {
    rate: middle('rate'),
    p50Ms: middle('p50Ms'),
    p99Ms: middle('p99Ms'),
    cpuMicros: middle('cpuMicros'),
  };
}

/** Trades through the public method, with validation, trade queue and answer. */
function throughMethod({ pm, markets }: Exchange, clients: number, spread: number): Promise<LoadResult> {
  return closedLoop(clients, SECONDS, (client, count) =>
    pm.placeTrade({
      wallet: walletOf(client),
      market: markets[(client * 31 + count * 7) % spread] ?? 1,
      side: (client + count) % 2 === 0 ? 'YES' : 'NO',
      amount: 1,
    }),
  );
}

/** Baseline (a): every trade sends the statements of a batch of one. */
function oneByOne(storage: Storage, markets: number[], clients: number, spread: number): Promise<LoadResult> {
  const context = contextOver(storage);
  const creators = new Map<number, string>();
  return closedLoop(clients, SECONDS, async (client, count) => {
    const market = markets[(client * 31 + count * 7) % spread] ?? 1;
    const [answer] = await runTradeBatch(
      context,
      [tradeOrder(orderOf(client, market, count), market)],
      creators,
    );
    if (answer?.accepted !== true) throw new Error('a baseline trade was refused');
  });
}

const times = (rate: number, base: number | null): string =>
  base === null ? '-' : `${(rate / base).toFixed(1)} x`;

async function onPostgres(): Promise<void> {
  process.env.EMBEDDED_POSTGRES_DURABLE = 'true';
  const server = await startPostgres();
  const storage = postgresStorage({ url: server.url, schema: `bench_${process.pid}` });
  const exchange = await openExchange(storage, { markets: MARKETS, wallets: Math.max(...CLIENTS) });
  try {
    const alone = {
      hot: await rounds(() => oneByOne(storage, exchange.markets, 32, 1)),
      many: await rounds(() => oneByOne(storage, exchange.markets, 32, MARKETS)),
    };
    const tpcB = pgbenchRate(server.url, 32, SECONDS);
    const inserts = await insertRate(server.url, 32, SECONDS);
    const rows: string[][] = [
      row('(a) one transaction per trade', 'one market', 32, alone.hot, []),
      row('(a) one transaction per trade', `${MARKETS} markets`, 32, alone.many, []),
      ['(b) pgbench TPC-B-like, prepared', '', '32', tpcB?.toFixed(0) ?? 'not installed'],
      ['(c) INSERT and commit', '', '32', inserts.toFixed(0)],
    ];
    for (const [name, spread, base] of [
      ['one market', 1, alone.hot],
      [`${MARKETS} markets`, MARKETS, alone.many],
    ] as const) {
      for (const clients of CLIENTS) {
        const result = await rounds(() => throughMethod(exchange, clients, spread));
        const ratios = [base.rate, tpcB, inserts].map((baseline) => times(result.rate, baseline));
        rows.push(row('placeTrade', name, clients, result, ratios));
      }
    }
    printTable(
      ['what', 'markets', 'clients', 'trades/s', 'p50 ms', 'p99 ms', 'Node µs', 'to (a)', 'to (b)', 'to (c)'],
      rows.map((cells) => [...cells, ...Array<string>(10 - cells.length).fill('')]),
    );
    const audit = await exchange.pm.audit();
    console.log(`audit after it all: ok ${audit.ok}, ${audit.checked.entries} entries`);
  } finally {
    await exchange.pm.close();
    await server.stop();
  }
}

function row(what: string, where: string, clients: number, result: LoadResult, ratios: string[]): string[] {
  const { rate, p50Ms, p99Ms, cpuMicros } = result;
  const figures = [rate.toFixed(0), p50Ms.toFixed(1), p99Ms.toFixed(1), cpuMicros.toFixed(0)];
  return [what, where, String(clients), ...figures, ...ratios];
}

async function onSqlite(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'prediction-market-bench-'));
  const file = join(folder, 'bench.db');
  const storage = sqliteStorage({ file });
  const exchange = await openExchange(storage, { markets: 1, wallets: 32 });
  try {
    const driver = await overTheDriver(file, storage);
    const direct = await rounds(() => oneByOne(driver.storage, exchange.markets, 32, 1));
    await driver.close();
    const alone = await rounds(() => oneByOne(storage, exchange.markets, 32, 1));
    const queued = await rounds(() => throughMethod(exchange, 32, 1));
    printTable(
      ['SQLite, full durability', 'clients', 'trades/s', 'p99 ms', 'to the driver'],
      [
        ['one transaction per trade, driver', '32', direct.rate.toFixed(0), direct.p99Ms.toFixed(1), ''],
        ['one transaction per trade, adapter', '32', alone.rate.toFixed(0), alone.p99Ms.toFixed(1), ''],
        [
          'placeTrade',
          '32',
          queued.rate.toFixed(0),
          queued.p99Ms.toFixed(1),
          times(queued.rate, direct.rate),
        ],
      ],
    );
  } finally {
    await exchange.pm.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function benchTrades(): Promise<void> {
  console.log(
    environmentLine(`${ROUNDS} rounds of ${SECONDS} s each, medians; load generator in the same process`),
  );
  await onPostgres();
  console.log('');
  await onSqlite();
}
