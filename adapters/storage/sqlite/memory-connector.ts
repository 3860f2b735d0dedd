import { serviceUnavailable } from '../../../src/domain/errors';
import { fairPool } from '../../shared/sql/fair-pool';
import { checkSchema, migrate, type MigrationOptions } from '../../shared/sql/run-migrations';
import type { Session } from '../../shared/sql/session';
import type { Connector } from '../../shared/sql/sql-storage';
import type { SqliteConnection, SqliteConnectionOptions } from '../../shared/sql/sqlite-connection';
import { sqliteDialect } from '../../shared/sql/sqlite-dialect';
import { beginImmediate, finishing } from './transactions';

/**
 * A connector for data in memory. Such a database ends with its connection, so all callers share one
 * connection, one after another.
 */
export function memoryConnector(
  connect: (options: SqliteConnectionOptions) => SqliteConnection,
  { onMigration }: Pick<MigrationOptions, 'onMigration'> = {},
): Connector {
  const connection = connect({ file: ':memory:', access: 'write' });
  const pool = fairPool([connection]);
  const inTransaction: Connector['transaction'] = (work) =>
    pool.use(async (session) => {
      await beginImmediate(session);
      return finishing(session, work);
    });

  const reads: Session = { query: (sql, bind) => pool.use((session) => session.query(sql, bind)) };

  return {
    name: 'sqlite',
    eventNumbering: sqliteDialect.eventNumbering,
    async open(logger) {
      await inTransaction((session) => migrate(sqliteDialect, session, logger, { onMigration }));
    },
    async close() {
      pool.rejectWaiting(serviceUnavailable('The storage is closed'));
      await connection.close();
    },
    ping: () => checkSchema(sqliteDialect, reads),
    reads,
    snapshot: (work) => inTransaction(work),
    transaction: inTransaction,
  };
}
