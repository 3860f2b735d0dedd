import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { onDebianPostgres } from './optional';
import { sharedPostgres } from './shared-postgres';
import type { StorageInspection } from '../../testing/storage-conformance';
import { INSPECTED_COLUMNS } from './inspected-columns';

export interface PostgresServer {
  url: string;
  stop(): Promise<void>;
}

export interface RestartablePostgres extends PostgresServer {
  halt(mode: 'fast' | 'immediate'): Promise<void>;
  startAgain(): Promise<void>;
  freeze(): Promise<void>;
  thaw(): Promise<void>;
}

export async function startPostgres(): Promise<PostgresServer> {
  const given = process.env[onDebianPostgres() ? 'TEST_DEBIAN_POSTGRES_URL' : 'TEST_POSTGRES_URL'];
  const server = given !== undefined && given !== '' ? given : await sharedPostgres();
  if (server === null) return startRestartablePostgres();
  const { url, drop } = await freshDatabase(server);
  return { url, stop: drop };
}

export async function startRestartablePostgres(
  environment: Readonly<Record<string, string>> = {},
): Promise<RestartablePostgres> {
  const child = spawn(process.execPath, [resolve(process.cwd(), 'test/support/postgres-server.mjs')], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
  });
  const exited = once(child, 'exit');
  const errors: string[] = [];
  child.stderr.on('data', (text: Buffer) => errors.push(String(text)));
  const lines = createInterface({ input: child.stdout });
  const failed = exited.then(() => Promise.reject(new Error(`Postgres has ended: ${errors.join('')}`)));
  failed.catch(() => undefined);
  const nextLine = async (): Promise<string> => {
    const [line] = (await Promise.race([once(lines, 'line'), failed])) as unknown[];
    return String(line);
  };
  const order = async (command: string): Promise<void> => {
    const answered = nextLine();
    child.stdin.write(`${command}\n`);
    const answer = await answered;
    if (answer !== `done ${command}`) throw new Error(`Postgres: ${command} was answered with ${answer}`);
  };
  return {
    url: await nextLine(),
    halt: (mode) => order(`stop ${mode}`),
    startAgain: () => order('start'),
    freeze: () => order('freeze'),
    thaw: () => order('thaw'),
    async stop() {
      child.stdin.end();
      await exited;
    },
  };
}

export async function openRawPostgres(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

export async function freshDatabase(url: string): Promise<{ url: string; drop(): Promise<void> }> {
  const name = freshSchema();
  const onServer = async (sql: string): Promise<void> => {
    const client = await openRawPostgres(url);
    await client.query(sql);
    await client.end();
  };
  await onServer(`CREATE DATABASE ${name}`);
  const address = new URL(url);
  address.pathname = `/${name}`;
  return { url: address.href, drop: () => onServer(`DROP DATABASE ${name} WITH (FORCE)`) };
}

let schemas = 0;
export function freshSchema(): string {
  schemas += 1;
  return `test_${process.pid}_${Date.now().toString(36)}_${schemas}`;
}

export function postgresInspection(client: pg.Client, schema: string): StorageInspection {
  async function all<T extends pg.QueryResultRow>(sql: string, bind: readonly unknown[]): Promise<T[]> {
    return (await client.query<T>(sql, [...bind])).rows;
  }
  async function first<T extends pg.QueryResultRow>(sql: string, ...bind: readonly unknown[]) {
    return (await all<T>(sql, bind))[0] ?? null;
  }
  const { account, market, position, trade } = INSPECTED_COLUMNS;
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
