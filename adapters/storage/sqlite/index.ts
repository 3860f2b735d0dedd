import { checkOptions, type Checks } from '../../../src/domain/options';
import type { Storage } from '../../../src/ports/storage';
import { sqlRepositories } from '../../shared/sql/repositories';
import { MIGRATION_CHECKS, type MigrationOptions } from '../../shared/sql/run-migrations';
import { sqlStorage } from '../../shared/sql/sql-storage';
import { sqliteConnector } from '../../shared/sql/sqlite-connection';
import { sqliteDialect } from '../../shared/sql/sqlite-dialect';
import { aDatabaseFile } from './database-file';
import { fileConnector } from './file-connector';
import { memoryConnector } from './memory-connector';

export { backUpSqlite, type SqliteBackup, type SqliteBackupOptions } from './back-up';
export { lockForServer, type SqliteServerLock, type SqliteServerLockOptions } from './server-lock';
export type { MigrationOptions, MigrationStep } from '../../shared/sql/run-migrations';

export interface SqliteStorageOptions extends MigrationOptions {
  /**
   * The path of the database file. A missing folder is created. `:memory:` keeps all data in this process,
   * and is always migrated.
   */
  file: string;
}

const CHECKS: Checks<SqliteStorageOptions> = {
  ...MIGRATION_CHECKS,
  file: aDatabaseFile,
};

/**
 * Storage in one SQLite file, with a write-ahead log and full durability: an acknowledged commit survives a
 * power cut. There is one writer at a time over all processes that open the file. Readers of a file do not wait
 * for the writer.
 *
 * @throws TypeError for a wrong option, Error of one line when the package `sequelize` or `sqlite3` is not
 * installed.
 */
export function sqliteStorage(options: SqliteStorageOptions): Storage {
  checkOptions('sqliteStorage', options, CHECKS);
  const { file, ...migrations } = options;
  const connect = sqliteConnector();
  const connector =
    file === ':memory:' ? memoryConnector(connect, migrations) : fileConnector(connect, file, migrations);
  return sqlStorage(connector, sqlRepositories(sqliteDialect));
}
