/**
 * Postgres compiles plans with a high estimated cost, which takes long. With scans switched off, a plan that needs
 * a scan gets such a cost.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { postgresConnector } from '../../adapters/storage/postgres/connector';
import { closePools, connectionPools, type ConnectionPools } from '../../adapters/storage/postgres/pools';
import { postgresDialect } from '../../adapters/shared/sql/postgres-dialect';
import type { Row, Session } from '../../adapters/shared/sql/session';
import { silentLogger } from '../../src/ports/logger';
import { describeWith, onDebianPostgres } from '../support/optional';
import { freshSchema, openRawPostgres, startPostgres, type PostgresServer } from '../support/postgres';

describeWith('postgres', 'the compiler of queries in Postgres', () => {
  const schema = freshSchema();
  const explain = `EXPLAIN (ANALYZE) SELECT count(*) AS count FROM ${schema}.market_totals`;
  let server: PostgresServer;
  let raw: pg.Client;
  let pools: ConnectionPools;

  beforeAll(async () => {
    server = await startPostgres();
    raw = await openRawPostgres(server.url);
    pools = connectionPools({ url: server.url, maxConnections: 2 });
    await postgresConnector(pools, postgresDialect(schema), { schema }).open(silentLogger);
    // Without this key a look-up in the table needs a scan.
    await raw.query(`ALTER TABLE ${schema}.market_totals DROP CONSTRAINT market_totals_pkey`);
  });
  afterAll(async () => {
    await closePools(pools);
    await raw.query(`DROP SCHEMA ${schema} CASCADE`);
    await raw.end();
    await server.stop();
  });

  if (onDebianPostgres()) {
    it('is there, and compiles a plan that looks dear', async () => {
      await raw.query('SET enable_seqscan = off');
      const { rows } = await raw.query(explain);
      expect(JSON.stringify(rows)).toContain('JIT:');
    });
  }

  describe.each(['transaction', 'snapshot', 'reads'] as const)('for a query in %s', (kind) => {
    it('is not used', async () => {
      const connector = postgresConnector(pools, postgresDialect(schema), { schema });
      const ask = (sql: string): Promise<Row[]> =>
        kind === 'reads'
          ? connector.reads.query(sql)
          : connector[kind]((session: Session) => session.query(sql));
      expect(await ask('SHOW jit')).toEqual([{ jit: 'off' }]);
      expect(JSON.stringify(await ask(explain))).not.toContain('JIT:');
    });
  });
});
