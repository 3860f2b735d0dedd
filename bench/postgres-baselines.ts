/**
 * Measures the same Postgres without our code: the TPC-B-like script of pgbench, and the rate of plain INSERT
 * and COMMIT.
 */
import { execFileSync } from 'node:child_process';
import pg from 'pg';
import { closedLoop } from './load';

/** The transactions per second of `pgbench -M prepared`. `null` if pgbench is not installed. */
export function pgbenchRate(url: string, clients: number, seconds: number): number | null {
  try {
    execFileSync('pgbench', ['-i', '-q', '-s', '10', url], { stdio: 'pipe' });
    const output = execFileSync(
      'pgbench',
      ['-M', 'prepared', '-c', String(clients), '-j', '2', '-T', String(seconds), '-n', url],
      { encoding: 'utf8', stdio: 'pipe' },
    );
    const match = /tps = ([\d.]+)/.exec(output);
    return match === null ? null : Number(match[1]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** The rate of transactions that insert one row, prepared, over one connection for each client. */
export async function insertRate(url: string, clients: number, seconds: number): Promise<number> {
  const pool = new pg.Pool({ connectionString: url, max: clients });
  try {
    await pool.query('DROP TABLE IF EXISTS bench_inserts');
    await pool.query('CREATE TABLE bench_inserts (id bigserial PRIMARY KEY, value bigint NOT NULL)');
    const statement = { name: 'bench-insert', text: 'INSERT INTO bench_inserts (value) VALUES ($1)' };
    const { rate } = await closedLoop(clients, seconds, (_client, count) =>
      pool.query({ ...statement, values: [count] }),
    );
    return rate;
  } finally {
    await pool.end();
  }
}
