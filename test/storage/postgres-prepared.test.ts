/** Statements prepared by name: where they are used, where not, and what happens when the server forgets one. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { postgresStorage } from '../../adapters/storage/postgres';
import type { PreparedStatements } from '../../adapters/storage/sequelize/postgres-client';
import { postgresPool } from '../../adapters/storage/sequelize/postgres-pool';
import { integer } from '../../adapters/storage/sequelize/columns';
import type { Session } from '../../adapters/storage/sequelize/session';
import { silentLogger } from '../../src/ports/logger';
import { NOW } from '../../src/testing/storage-conformance/samples';
import { describeWith } from '../support/optional';
import { startPgBouncer, type PgBouncer } from '../support/pgbouncer';
import { freshSchema, openRawPostgres, startPostgres, type PostgresServer } from '../support/postgres';

const LIMITS = { firstMs: 4_000, laterMs: 4_000 };
const ECHO = 'SELECT CAST($1 AS text) AS value';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

/** How many statements of ours the session that serves a transaction knows by name, after one was sent. */
async function preparedAfterOne(url: string, preparedStatements: PreparedStatements): Promise<number> {
  const pool = postgresPool({ url, maxConnections: 2, preparedStatements });
  try {
    return await pool.lend(LIMITS, async (session) => {
      await session.query('BEGIN');
      await session.query(ECHO, ['one']);
      const [row] = await session.query(
        `SELECT count(*) AS known FROM pg_prepared_statements WHERE name LIKE 'pm@_%' ESCAPE '@'`,
      );
      await session.query('ROLLBACK');
      if (row === undefined) throw new Error('no count');
      return integer(row, 'known');
    });
  } finally {
    await pool.close();
  }
}

describe('a server that answers itself', () => {
  it.each([
    ['auto', 1],
    [true, 1],
    [false, 0],
  ] as const)('with preparedStatements %j knows %i by name', async (preparedStatements, known) => {
    expect(await preparedAfterOne(server.url, preparedStatements)).toBe(known);
  });

  it('answers statements that do not wait for each other in their order', async () => {
    const pool = postgresPool({ url: server.url, maxConnections: 2 });
    const words = ['a', 'b', 'c', 'd'];
    const rows = await pool.lend(LIMITS, (session) =>
      Promise.all(words.map((word) => session.query(ECHO, [word]))),
    );
    expect(rows.flat()).toEqual(words.map((value) => ({ value })));
    await pool.close();
  });

  it('keeps the connection when a statement is refused, whatever was sent behind it', async () => {
    const pool = postgresPool({ url: server.url, maxConnections: 2 });
    const backend = (session: Session) => session.query('SELECT pg_backend_pid() AS pid');
    const before = await pool.lend(LIMITS, async (session) => {
      const pid = await backend(session);
      await session.query('BEGIN');
      const sent = await Promise.allSettled([
        session.query('SELECT 1 / CAST($1 AS integer) AS one', [0]),
        session.query(ECHO, ['behind']),
      ]);
      expect(sent).toMatchObject([{ reason: { code: '22012' } }, { reason: { code: '25P02' } }]);
      await session.query('ROLLBACK');
      return pid;
    });
    expect(await pool.lend(LIMITS, backend)).toEqual(before);
    await pool.close();
  });

  it('that forgets a statement is asked without names from then on', async () => {
    const pool = postgresPool({ url: server.url, maxConnections: 2 });
    const echo = (session: Session) => session.query(ECHO, ['once']);
    const forgotten = pool.lend(LIMITS, async (session) => {
      await echo(session);
      await session.query('DEALLOCATE ALL');
      return echo(session);
    });
    await expect(forgotten).rejects.toMatchObject({ code: '26000' });
    const again = pool.lend(LIMITS, async (session) => {
      await echo(session);
      await session.query('DEALLOCATE ALL');
      return echo(session);
    });
    expect(await again).toEqual([{ value: 'once' }]);
    await pool.close();
  });
});

describeWith('pgbouncer', 'behind PgBouncer in transaction mode', (program) => {
  let bouncer: PgBouncer;
  beforeAll(async () => {
    bouncer = await startPgBouncer(program, server.url);
  });
  afterAll(() => bouncer.stop());

  it('nothing is prepared by itself', async () => {
    expect(await preparedAfterOne(bouncer.url, 'auto')).toBe(0);
  });

  it.each(['auto', true] as const)(
    'every call is served, with preparedStatements %j',
    async (preparedStatements) => {
      const schema = freshSchema();
      const storage = postgresStorage({ url: bouncer.url, schema, preparedStatements });
      await storage.open({ logger: silentLogger });
      const calls = Array.from({ length: 200 }, async (_, call) => {
        await storage.transaction((tx) => tx.accounts.apply([{ id: 'treasury', balance: 1n }], NOW));
        await storage.read((r) => r.settings.get(`setting ${call}`));
        await storage.snapshot((r) => r.accounts.find('treasury'));
      });
      expect((await Promise.allSettled(calls)).filter(({ status }) => status === 'rejected')).toEqual([]);
      expect((await storage.read((r) => r.accounts.find('treasury')))?.balance).toBe(200n);
      await storage.close();
      const raw = await openRawPostgres(server.url);
      await raw.query(`DROP SCHEMA ${schema} CASCADE`);
      await raw.end();
    },
  );
});
