import { access, open as openFile } from 'node:fs/promises';
import { serviceUnavailable } from '../../../src/domain/errors';
import type { Logger } from '../../../src/ports/logger';
import { awaitedTimers, type Timers } from '../../../src/ports/timers';
import { failureKind, translate } from '../../shared/sql/driver-errors';
import { fairPool, type FairPool } from '../../shared/sql/fair-pool';
import {
  checkSchema,
  isMigrated,
  migrate,
  neverMigrated,
  unusableDatabase,
  type MigrationOptions,
} from '../../shared/sql/run-migrations';
import { integer, text } from '../../shared/sql/row-columns';
import type { Session } from '../../shared/sql/session';
import type { Connector } from '../../shared/sql/sql-storage';
import type { SqliteConnection, SqliteConnectionOptions } from '../../shared/sql/sqlite-connection';
import { sqliteDialect } from '../../shared/sql/sqlite-dialect';
import { makeFolderOf, openingError } from './folder';
import { beginImmediate, BUSY_TIMEOUT_MS, finishing } from './transactions';

const READERS = 2;
const SNAPSHOT_READERS = 2;
/** This is below the 5 seconds after which a waiting audit has to be refused. */
const AUDIT_PATIENCE_MS = 4_500;
const AUDIT_MS = 600_000;
const INTERRUPT_AGAIN_MS = 100;
const WAL_ATTEMPTS = 4;
const NAMED_TABLES = 3;

type Connect = (options: SqliteConnectionOptions) => SqliteConnection;

export interface FileLimits {
  busyTimeoutMs?: number | undefined;
  /** How long an audit waits for the audit before it. */
  auditPatienceMs?: number | undefined;
  timers?: Timers | undefined;
}

type FileOptions = FileLimits & MigrationOptions;

/**
 * One writing connection, and several reading connections. One statement, transaction or snapshot at a time uses a
 * connection. An audit has a connection of its own, so that only another audit waits for it.
 */
export function fileConnector(
  connect: Connect,
  file: string,
  {
    busyTimeoutMs = BUSY_TIMEOUT_MS,
    auditPatienceMs = AUDIT_PATIENCE_MS,
    timers = awaitedTimers,
    ...migrations
  }: FileOptions = {},
): Connector {
  const connections = connectionsTo(connect, file);
  const writers = fairPool([connections.writer]);
  const readers = fairPool(connections.readers);
  const snapshots = fairPool(connections.snapshots);
  const audits = fairPool(connections.audits);
  const auditPatience = {
    ms: auditPatienceMs,
    error: () => serviceUnavailable('Another audit is under way'),
  };
  const reads: Session = { query: (sql, bind) => readers.use((reader) => reader.query(sql, bind)) };

  return {
    name: 'sqlite',
    eventNumbering: sqliteDialect.eventNumbering,
    async open(logger) {
      try {
        await openDatabase({ file, connections, busyTimeoutMs, migrations, logger, timers });
      } catch (error) {
        await letGo(connections);
        throw translate(openingError(error, file));
      }
    },
    async close() {
      for (const pool of [writers, readers, snapshots, audits])
        pool.rejectWaiting(serviceUnavailable('The storage is closed'));
      await letGo(connections);
    },
    ping: () => checkSchema(sqliteDialect, reads),
    reads,
    async version() {
      const [row] = await connections.watcher.query('PRAGMA data_version');
      return String(integer(row ?? {}, 'data_version'));
    },
    snapshot: (work, { purpose } = {}) =>
      purpose === 'audit'
        ? audits.useWithin(auditPatience, (reader) => auditOn(reader, timers, work))
        : snapshots.use((reader) => snapshotOn(reader, work)),
    transaction: (work) =>
      writers.use(async (session) => {
        await begin(session, writers);
        return finishing(session, work);
      }),
  };
}

interface Connections {
  writer: SqliteConnection;
  readers: SqliteConnection[];
  snapshots: SqliteConnection[];
  audits: SqliteConnection[];
  /**
   * The connection that reads `data_version`, which changes with the commits of other connections. The numbers of
   * two connections cannot be compared, so all versions come from this connection.
   */
  watcher: SqliteConnection;
}

function connectionsTo(connect: Connect, file: string): Connections {
  const reading = (count: number): SqliteConnection[] =>
    Array.from({ length: count }, () => connect({ file, access: 'read' }));
  return {
    writer: connect({ file, access: 'write' }),
    readers: reading(READERS),
    snapshots: reading(SNAPSHOT_READERS),
    audits: reading(1),
    watcher: connect({ file, access: 'read' }),
  };
}

interface Opening {
  file: string;
  connections: Connections;
  busyTimeoutMs: number;
  migrations: MigrationOptions;
  logger: Logger;
  timers: Timers;
}

async function openDatabase(opening: Opening): Promise<void> {
  const { file, busyTimeoutMs, migrations, logger, timers } = opening;
  const { writer, readers, snapshots, audits, watcher } = opening.connections;
  if (migrations.migrate === false) await requireFile(file);
  await makeFolderOf(file, timers);
  await createPrivate(file);
  await writer.query(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
  await refuseForeign(writer, file);
  await useWriteAheadLog(writer);
  for (const pragma of ['synchronous = FULL', 'foreign_keys = ON', 'journal_size_limit = 67108864']) {
    await writer.query(`PRAGMA ${pragma}`);
  }
  await beginImmediate(writer);
  await finishing(writer, async (session) => {
    if (!(await isMigrated(sqliteDialect, session, migrations)))
      await migrate(sqliteDialect, session, logger, migrations);
    // SQLite begins the transaction even if the user may only read the file, and refuses the first write.
    await session.query('DELETE FROM schema_migrations WHERE false');
  });
  for (const reader of [...readers, ...snapshots, ...audits, watcher]) {
    await reader.query(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    await reader.query('PRAGMA query_only = ON');
  }
}

async function letGo({ writer, readers, snapshots, audits, watcher }: Connections): Promise<void> {
  // The writer is closed last, because the last connection to close writes the write-ahead log into the file.
  for (const connection of [...readers, ...snapshots, ...audits, watcher, writer]) await connection.close();
}

async function begin(session: SqliteConnection, writers: FairPool<SqliteConnection>): Promise<void> {
  try {
    await beginImmediate(session);
  } catch (error) {
    // All waiting calls are refused at once, because each of them would have to wait for the time limit again.
    if (failureKind(error) === 'unavailable') {
      writers.rejectWaiting(serviceUnavailable('The storage is not available', error));
    }
    throw error;
  }
}

async function snapshotOn<T>(reader: SqliteConnection, work: (session: Session) => Promise<T>): Promise<T> {
  await reader.query('BEGIN');
  return finishing(reader, work);
}

async function auditOn<T>(
  reader: SqliteConnection,
  timers: Timers,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const limit = interruptAfter(reader, AUDIT_MS, timers);
  try {
    return await snapshotOn(reader, (session) => work(limit.on(session)));
  } finally {
    limit.end();
  }
}

interface AuditLimit {
  /** Wraps a session. When the time is over, its running statement is interrupted. */
  on(session: Session): Session;
  end(): void;
}

/**
 * Limits the time of a session. When the time is over, the running statement is interrupted, and no further
 * statement is allowed. SQLite ignores an interrupt that comes before the statement has begun on its thread,
 * so the interrupt is repeated. The statement that ends the transaction is never interrupted.
 */
function interruptAfter(reader: SqliteConnection, ms: number, timers: Timers): AuditLimit {
  let over = false;
  let running = 0;
  let cancel = timers.after(ms, interrupt);
  function interrupt(): void {
    over = true;
    if (running > 0) reader.interrupt();
    cancel = timers.after(INTERRUPT_AGAIN_MS, interrupt);
  }
  return {
    on: (session) => ({
      async query(sql, bind) {
        if (over) throw serviceUnavailable('The audit has taken too long');
        running += 1;
        try {
          return await session.query(sql, bind);
        } finally {
          running -= 1;
        }
      },
    }),
    end: () => cancel(),
  };
}

/**
 * Switches the file to a write-ahead log. On a new file this fails at once while another process does the same, so
 * it is tried again after the lock of that process.
 */
async function useWriteAheadLog(session: SqliteConnection): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await session.query('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (failureKind(error) !== 'unavailable' || attempt === WAL_ATTEMPTS) throw error;
      await beginImmediate(session);
      await session.query('COMMIT');
    }
  }
}

/**
 * Refuses the database of another program, so that no table of this package comes into it. Many programs have a
 * table `schema_migrations`. Ours has the one column `name`. The tables of Litestream, which replicates the file,
 * are allowed.
 */
async function refuseForeign(session: Session, file: string): Promise<void> {
  const rows = await session.query(
    `SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')
      AND name NOT LIKE 'sqlite!_%' ESCAPE '!' AND name NOT LIKE '!_litestream!_%' ESCAPE '!' ORDER BY name`,
  );
  const names = rows.map((row) => text(row, 'name'));
  if (names.length === 0) return;
  const columns = await session.query("SELECT name FROM pragma_table_info('schema_migrations')");
  if (columns.length === 1 && columns[0]?.['name'] === 'name' && names.includes('settings')) return;
  const named = names.slice(0, NAMED_TABLES).join(', ');
  const more = names.length > NAMED_TABLES ? ', …' : '';
  throw unusableDatabase(
    `sqliteStorage: ${file} is the database of another program, with the tables ${named}${more}. Name a file for this package alone`,
  );
}

/** SQLite would create a missing file, although the caller has asked to change nothing (`migrate: false`). */
async function requireFile(file: string): Promise<void> {
  await access(file).catch(() => {
    throw neverMigrated(`there is no database file ${file}`);
  });
}

/**
 * Creates the file for its owner alone, because other users of the machine must not read balances and key
 * hashes. SQLite gives the files beside it the same mode.
 */
async function createPrivate(file: string): Promise<void> {
  // The owner of an existing file chooses its mode. If no file can be created, SQLite itself reports the
  // reason.
  const made = await openFile(file, 'wx', 0o600).catch(() => null);
  await made?.close();
}
