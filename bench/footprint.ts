/**
 * Measures what a trade leaves behind on Postgres: the bytes of each table with its indexes, the bytes of
 * write-ahead log, and the time of an audit of all trades. docs/scaling.md calculates with these figures.
 */
import type pg from 'pg';
import { postgresStorage } from 'express-prediction-market/storage/postgres';
import { openRawPostgres, startPostgres } from '../test/support/postgres';
import { openExchange, walletOf, type Exchange } from './exchange';
import { environmentLine, printTable } from './report';

const TRADES = Number(process.env.BENCH_FOOTPRINT_TRADES ?? 50_000);
const SHAPES = [
  { name: '1,000 wallets, 1,000 markets', wallets: 1_000, markets: 1_000, clients: 256 },
  { name: '1,000 wallets, one market', wallets: 1_000, markets: 1, clients: 256 },
];

interface Sizes {
  tables: Map<string, number>;
  log: number;
}

async function sizes(raw: pg.Client, schema: string): Promise<Sizes> {
  const { rows } = await raw.query<{ name: string; bytes: string }>(
    `SELECT relname AS name, pg_total_relation_size(oid)::text AS bytes FROM pg_class
     WHERE relkind = 'r' AND relnamespace = $1::regnamespace`,
    [schema],
  );
  const log = await raw.query<{ bytes: string }>(
    `SELECT (pg_current_wal_insert_lsn() - '0/0')::text AS bytes`,
  );
  return {
    tables: new Map(rows.map(({ name, bytes }) => [name, Number(bytes)])),
    log: Number(log.rows[0]?.bytes),
  };
}

async function trade(exchange: Exchange, wallets: number, clients: number): Promise<number> {
  const { pm, markets } = exchange;
  const started = performance.now();
  let next = 0;
  const client = async (): Promise<void> => {
    for (let order = next++; order < TRADES; order = next++) {
      await pm.placeTrade({
        wallet: walletOf(order % wallets),
        market: markets[(order * 31) % markets.length] ?? 1,
        side: Math.floor(order / wallets) % 2 === 0 ? 'YES' : 'NO',
        amount: 1,
        idempotencyKey: `footprint-${order}`,
      });
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return TRADES / ((performance.now() - started) / 1000);
}

export async function benchFootprint(): Promise<void> {
  console.log(environmentLine(`${TRADES} trades with idempotency keys`));
  process.env.EMBEDDED_POSTGRES_DURABLE = 'true';
  const server = await startPostgres();
  const raw = await openRawPostgres(server.url);
  try {
    for (const [index, shape] of SHAPES.entries()) {
      const schema = `footprint_${process.pid}_${index}`;
      const exchange = await openExchange(postgresStorage({ url: server.url, schema }), shape);
      const before = await sizes(raw, schema);
      const rate = await trade(exchange, shape.wallets, shape.clients);
      const after = await sizes(raw, schema);
      const audited = performance.now();
      const { ok } = await exchange.pm.audit();
      const auditSeconds = (performance.now() - audited) / 1000;
      await exchange.pm.close();
      console.log(
        `\n${shape.name}: ${rate.toFixed(0)} trades/s from ${shape.clients} clients; ` +
          `audit ${String(ok)} in ${auditSeconds.toFixed(2)} s; ` +
          `resident memory ${(process.memoryUsage().rss / 1e6).toFixed(0)} MB`,
      );
      printGrowth(before, after);
      await raw.query(`DROP SCHEMA ${schema} CASCADE`);
    }
  } finally {
    await raw.end();
    await server.stop();
  }
}

function printGrowth(before: Sizes, after: Sizes): void {
  const grown = [...after.tables]
    .map(([name, bytes]) => ({ name, perTrade: (bytes - (before.tables.get(name) ?? 0)) / TRADES }))
    .filter(({ perTrade }) => perTrade >= 1)
    .sort((a, b) => b.perTrade - a.perTrade);
  const total = grown.reduce((sum, { perTrade }) => sum + perTrade, 0);
  const rows = [
    ...grown,
    { name: 'all tables', perTrade: total },
    { name: 'write-ahead log', perTrade: (after.log - before.log) / TRADES },
  ];
  printTable(
    ['table with its indexes', 'bytes per trade'],
    rows.map(({ name, perTrade }) => [name, perTrade.toFixed(0)]),
  );
}
