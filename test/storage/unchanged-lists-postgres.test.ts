import type pg from 'pg';
import { postgresStorage } from '../../adapters/storage/postgres';
import { silentLogger } from '../../src/ports/logger';
import type { Storage } from '../../src/ports/storage';
import { NOW, sampleMarket } from '../../testing/storage-conformance/samples';
import { describeWith } from '../support/optional';
import { openRawPostgres, startRestartablePostgres, type RestartablePostgres } from '../support/postgres';
import { until } from '../support/until';

describeWith('postgres', 'kept lists', () => {
  let server: RestartablePostgres;
  let raw: pg.Client;
  let storage: Storage;

  beforeAll(async () => {
    server = await startRestartablePostgres();
    raw = await openRawPostgres(server.url);
    for (const setting of [
      // The first two settings keep background processes from changing the transaction numbers and the log.
      'autovacuum = off',
      "wal_writer_delay = '10s'",
      'max_prepared_transactions = 5',
    ])
      await raw.query(`ALTER SYSTEM SET ${setting}`);
    await raw.end();
    await server.halt('fast');
    await server.startAgain();
  });
  beforeEach(async () => {
    raw = await connected();
    storage = postgresStorage({ url: server.url, schema: 'market' });
    await storage.open({ logger: silentLogger });
    await storage.transaction(async ({ markets }) => {
      const id = await markets.nextId();
      await markets.insert(sampleMarket(id, { slug: `market-${id}` }));
      await markets.addTotals([{ status: 'open', category: 'crypto', markets: 1, exposure: 0n }]);
    });
  });
  afterEach(async () => {
    await storage.close();
    await raw.query('TRUNCATE market.markets, market.market_totals');
    await raw.end();
  });
  afterAll(async () => {
    await server.halt('immediate');
    await server.stop();
  });

  async function connected(): Promise<pg.Client> {
    const client = await openRawPostgres(server.url);
    client.on('error', () => undefined);
    return client;
  }

  async function question(): Promise<string | undefined> {
    const query = { sort: 'created_desc', limit: 5, offset: 0, now: NOW } as const;
    const { markets } = await storage.read((reader) => reader.markets.list(query));
    return markets[0]?.question;
  }

  /** The storage keeps a list in memory only after several reads. */
  async function keep(): Promise<void> {
    for (let time = 0; time < 3; time += 1) expect(await question()).toMatch(/^Will number \d+ come up\?$/);
  }

  const CHANGE = "UPDATE market.markets SET question = 'Changed?'";
  const changes: Record<string, (other: pg.Client) => Promise<unknown>> = {
    'a statement': () => raw.query(CHANGE),
    'a transaction that began long before': async (other) => {
      await raw.query(`BEGIN; ${CHANGE}`);
      await keep();
      await other.query('CREATE TABLE another (id int); DROP TABLE another');
      await keep();
      await raw.query('COMMIT');
    },
    'a transaction that began before one that has ended': async (other) => {
      await other.query('BEGIN; CREATE TABLE another (id int)');
      await raw.query(`BEGIN; ${CHANGE}`);
      await keep();
      await raw.query('COMMIT');
      await other.query('ROLLBACK');
    },
    'a part of a transaction, after another part was undone': () =>
      raw.query(`BEGIN; SAVEPOINT a; DELETE FROM market.markets; ROLLBACK TO a; SAVEPOINT b; ${CHANGE};
        RELEASE b; COMMIT`),
    'a prepared transaction': async (other) => {
      await raw.query(`BEGIN; ${CHANGE}; PREPARE TRANSACTION 'change'`);
      await keep();
      await other.query("COMMIT PREPARED 'change'");
    },
    'a transaction that uses the snapshot of another one': async (other) => {
      await other.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
      const { rows } = await other.query<{ id: string }>('SELECT pg_export_snapshot() AS id');
      await raw.query(`BEGIN ISOLATION LEVEL REPEATABLE READ; SET TRANSACTION SNAPSHOT '${rows[0]?.id}'`);
      await raw.query(CHANGE);
      await keep();
      await raw.query('COMMIT');
      await other.query('COMMIT');
    },
    'a commit that does not wait for the disk': () =>
      raw.query(`BEGIN; SET LOCAL synchronous_commit = off; ${CHANGE}; COMMIT`),
    'a table that is emptied and written anew': () =>
      raw.query(`BEGIN; CREATE TEMP TABLE copied ON COMMIT DROP AS SELECT * FROM market.markets;
        TRUNCATE market.markets; UPDATE copied SET question = 'Changed?';
        INSERT INTO market.markets SELECT * FROM copied; COMMIT`),
    'a trigger, without a statement on the table': async (other) => {
      await other.query(`CREATE TABLE another (id int); CREATE FUNCTION change() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN ${CHANGE}; RETURN NEW; END $$;
        CREATE TRIGGER change AFTER INSERT ON another FOR EACH ROW EXECUTE FUNCTION change()`);
      await keep();
      await raw.query('INSERT INTO another VALUES (1)');
      await other.query('DROP TABLE another; DROP FUNCTION change');
    },
  };

  it.each(Object.keys(changes))('are read again after %s', async (name) => {
    const other = await connected();
    await keep();
    await changes[name]?.(other);
    expect(await question()).toBe('Changed?');
    await other.end();
  });

  it('are read again after a crash in which the server has forgotten a transaction that was undone', async () => {
    // After a crash, Postgres can use the number of the undone transaction again, if the log of that transaction
    // was not on the disk.
    let isNumberAgain = false;
    for (let attempt = 0; attempt < 5 && !isNumberAgain; attempt += 1) {
      await raw.query("UPDATE market.markets SET question = 'Will number 1 come up?'");
      await raw.query(`BEGIN; ${CHANGE}; ROLLBACK`);
      await keep();
      const before = await snapshot();
      await crash();
      await raw.query(CHANGE);
      isNumberAgain = (await snapshot()) === before;
      let seen: string | undefined;
      await until(async () => {
        seen = await question().catch(() => undefined);
        return seen !== undefined;
      });
      expect(seen).toBe('Changed?');
    }
    expect(isNumberAgain).toBe(true);
  });

  it('are read again after the server was stopped and started', async () => {
    await keep();
    await server.halt('immediate');
    await server.startAgain();
    raw = await connected();
    await raw.query(CHANGE);
    let seen: string | undefined;
    await until(async () => {
      seen = await question().catch(() => undefined);
      return seen !== undefined;
    });
    expect(seen).toBe('Changed?');
  });

  async function snapshot(): Promise<string | undefined> {
    const { rows } = await raw.query<{ name: string }>('SELECT CAST(pg_current_snapshot() AS text) AS name');
    return rows[0]?.name;
  }

  /** When one of its processes is killed, Postgres ends all other processes and replays its log. */
  async function crash(): Promise<void> {
    const before = await replayed();
    const { rows } = await raw.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    process.kill(rows[0]?.pid ?? NaN, 'SIGKILL');
    await until(async () => {
      const now = await replayed().catch(() => before);
      if (now !== before) return true;
      raw = await connected().catch(() => raw);
      return false;
    });
  }

  async function replayed(): Promise<string | null> {
    const { rows } = await raw.query<{ place: string | null }>('SELECT pg_last_wal_replay_lsn() AS place');
    return rows[0]?.place ?? null;
  }
});
