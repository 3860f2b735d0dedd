import { checkOptions, mustBe, type Checks } from '../../../src/domain/options';
import type { Storage } from '../../../src/ports/storage';
import { sqlRepositories } from '../../shared/sql/repositories';
import { sqlStorage } from '../../shared/sql/sql-storage';
import { sqliteConnector } from '../../shared/sql/sqlite-connection';
import { sqliteDialect } from '../../shared/sql/sqlite-dialect';
import { fileConnector } from './file-connector';
import { memoryConnector } from './memory-connector';

export interface SqliteStorageOptions {
  /** The path of the database file. A missing folder is created. `:memory:` keeps all data in this process. */
  file: string;
}

const CHECKS: Checks<SqliteStorageOptions> = {
  file: mustBe(
    'the path of the database file, or :memory:',
    (value) => typeof value === 'string' && value !== '' && !value.includes('\0'),
  ),
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
  const { file } = options;
  const connect = sqliteConnector();
  const connector = file === ':memory:' ? memoryConnector(connect) : fileConnector(connect, file);
  return sqlStorage(connector, sqlRepositories(sqliteDialect));
}
