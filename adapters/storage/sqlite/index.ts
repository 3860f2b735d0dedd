import type { Storage } from '../../../src/ports/storage';
import { sqlRepositories } from '../sequelize/repositories';
import { sqlStorage } from '../sequelize/sql-storage';
import { sqliteConnector } from '../sequelize/sqlite-connection';
import { sqliteDialect } from '../sequelize/sqlite-dialect';
import { fileConnector } from './file-connector';
import { memoryConnector } from './memory-connector';

export interface SqliteStorageOptions {
  /** Path of the database file; its folder is made when it is missing. `:memory:` keeps everything in this process. */
  file: string;
}

/**
 * Storage in one SQLite file: write-ahead log, full durability (an acknowledged commit survives a power cut),
 * one writer at a time over all processes that open the file, readers beside it.
 *
 * @throws Error of one line when the packages `sequelize` and `sqlite3` are not installed.
 */
export function sqliteStorage({ file }: SqliteStorageOptions): Storage {
  if (typeof file !== 'string' || file === '') throw new TypeError('sqliteStorage: file is required');
  const connect = sqliteConnector();
  const connector = file === ':memory:' ? memoryConnector(connect) : fileConnector(connect, file);
  return sqlStorage(connector, sqlRepositories(sqliteDialect));
}
