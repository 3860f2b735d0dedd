/** A real Postgres for tests: the one at TEST_POSTGRES_URL, or an embedded one that lives as long as the test file. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import pg from 'pg';
import type { StorageInspection } from '../../src/testing/storage-conformance';

export interface PostgresServer {
  url: string;
  stop(): Promise<void>;
}

export async function startPostgres(): Promise<PostgresServer> {
  const given = process.env['TEST_POSTGRES_URL'];
  if (given !== undefined && given !== '') return { url: given, stop: () => Promise.resolve() };
  const child = spawn(process.execPath, [resolve(process.cwd(), 'test/support/postgres-server.mjs')], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  const errors: string[] = [];
  child.stderr.on('data', (text: Buffer) => errors.push(String(text)));
  const started = once(child.stdout, 'data').then(([line]: unknown[]) => String(line).trim());
  const failed = exited.then(() => Promise.reject(new Error(`Postgres did not start: ${errors.join('')}`)));
  failed.catch(() => undefined);
  return {
    url: await Promise.race([started, failed]),
    async stop() {
      child.stdin.end();
      await exited;
    },
  };
}

/** A connection behind the adapter's back. */
export async function openRawPostgres(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

let schemas = 0;
/** A name that no other test, and no earlier run on the same server, has used. */
export function freshSchema(): string {
  schemas += 1;
  return `test_${process.pid}_${Date.now().toString(36)}_${schemas}`;
}

const exact = (columns: Record<string, string>): string =>
  Object.entries(columns)
    .map(([name, column]) => `CAST(${column} AS text) AS "${name}"`)
    .join(', ');

export function postgresInspection(client: pg.Client, schema: string): StorageInspection {
  async function all<T extends pg.QueryResultRow>(sql: string, bind: readonly unknown[]): Promise<T[]> {
    return (await client.query<T>(sql, [...bind])).rows;
  }
  async function first<T extends pg.QueryResultRow>(sql: string, ...bind: readonly unknown[]) {
    return (await all<T>(sql, bind))[0] ?? null;
  }
  const account = exact({ balance: 'balance', reserved: 'reserved' });
  const market = exact({
    liquidityParameter: 'liquidity_parameter',
    sharesYes: 'shares_yes',
    sharesNo: 'shares_no',
    pool: 'pool',
    volume: 'volume',
  });
  const position = exact({
    shares: 'shares',
    costBasis: 'cost_basis',
    realizedPnl: 'realized_pnl',
    feesPaid: 'fees_paid',
  });
  const trade = exact({
    shares: 'shares',
    notional: 'notional',
    fee: 'fee',
    totalCost: 'total_cost',
    realizedPnl: 'realized_pnl',
  });
  return {
    account: (id) => first(`SELECT ${account} FROM ${schema}.accounts WHERE id = $1`, id),
    market: (id) => first(`SELECT ${market} FROM ${schema}.markets WHERE id = $1`, id),
    position: (marketId, wallet, side) =>
      first(
        `SELECT ${position} FROM ${schema}.positions WHERE market_id = $1 AND wallet = $2 AND side = $3`,
        marketId,
        wallet,
        side,
      ),
    trade: (id) => first(`SELECT ${trade} FROM ${schema}.trades WHERE id = $1`, id),
    entries: (reference) =>
      all(
        `SELECT e.account AS account, CAST(e.amount AS text) AS amount FROM ${schema}.entries e
         JOIN ${schema}.postings p ON p.id = e.posting_id WHERE p.reference = $1 ORDER BY e.line`,
        [reference],
      ),
    challengeExists: async (nonce) =>
      (await all(`SELECT 1 AS one FROM ${schema}.challenges WHERE nonce = $1`, [nonce])).length > 0,
  };
}
