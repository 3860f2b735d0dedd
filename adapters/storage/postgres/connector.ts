import type { Dialect } from '../../shared/sql/dialect';
import { isPreparedStatementLost } from '../../shared/sql/driver-errors';
import { checkSchema, type MigrationOptions } from '../../shared/sql/run-migrations';
import type { PostgresPool, TimeLimits } from '../../shared/sql/postgres-pool';
import { text } from '../../shared/sql/row-columns';
import type { Session } from '../../shared/sql/session';
import type { Connector } from '../../shared/sql/sql-storage';
import { openSchema } from './open-schema';
import { closePools, type ConnectionPools } from './pools';
import { AUDIT, BEGIN, BEGIN_AUDIT, BEGIN_READ, BEGIN_SNAPSHOT, LIMITS, READING } from './settings';
import { inTransaction, readAlone } from './transactions';

interface ConnectorOptions {
  schema: string;
  migrations?: MigrationOptions;
}

/**
 * The version of the database: a text that changes with every commit. Its main part is Postgres's snapshot, which
 * names the running transactions and the next one. After a restart or a crash, Postgres may use the numbers of
 * transactions again. So the version also has the start time of the server and the position in the log at which its
 * last recovery ended. The snapshot of a standby does not name all transactions. So on a standby the version has the
 * present time in place of the snapshot, and changes with each query.
 */
const VERSION = `SELECT concat(pg_postmaster_start_time(), ' ', pg_last_wal_replay_lsn(), ' ', CASE WHEN pg_is_in_recovery()
  THEN CAST(clock_timestamp() AS text) ELSE CAST(pg_current_snapshot() AS text) END) AS version`;

export function postgresConnector(
  pools: ConnectionPools,
  dialect: Dialect,
  { schema, migrations = {} }: ConnectorOptions,
): Connector {
  const within =
    (pool: PostgresPool, limits: TimeLimits, begin: string) =>
    <T>(work: (session: Session) => Promise<T>): Promise<T> =>
      pool.lend(limits, (session) => inTransaction(session, begin, work));
  const reading = (pool: PostgresPool): Session => ({
    query: (sql, bind) =>
      onceMore(() => pool.lend(READING, (session) => readAlone(session, BEGIN_READ, sql, bind))),
  });

  const reads = reading(pools.work);
  const probe = reading(pools.probe);
  const snapshot = within(pools.work, READING, BEGIN_SNAPSHOT);
  const audit = within(pools.long, AUDIT, BEGIN_AUDIT);
  const transaction = within(pools.work, LIMITS, BEGIN);
  const trades = within(pools.trades, LIMITS, BEGIN);

  return {
    name: 'postgres',
    eventNumbering: dialect.eventNumbering,
    open: (logger) => openSchema(pools.long, { dialect, schema, migrations, logger }),
    close: () => closePools(pools),
    ping: () => checkSchema(dialect, probe),
    reads,
    async version() {
      const [row] = await reads.query(VERSION);
      return text(row ?? {}, 'version');
    },
    snapshot: (work, { purpose } = {}) => onceMore(() => (purpose === 'audit' ? audit : snapshot)(work)),
    transaction: (work, { purpose } = {}) => (purpose === 'trades' ? trades : transaction)(work),
  };
}

/**
 * Runs a read again after the server has lost a prepared statement. The second try uses no prepared statement, so
 * it cannot fail for this reason.
 */
async function onceMore<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!isPreparedStatementLost(error)) throw error;
    return read();
  }
}
