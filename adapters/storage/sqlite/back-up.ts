import { open, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { checkOptions, mustBe, type Checks } from '../../../src/domain/options';
import { sqliteConnector, type SqliteConnection } from '../../shared/sql/sqlite-connection';
import { neverMigrated } from '../../shared/sql/run-migrations';
import { openingError } from './folder';

export interface SqliteBackupOptions {
  /** The path of the database file. A running server may go on using it. */
  file: string;
  /** The path of the copy. Its folder has to exist, and the path must be free. */
  to: string;
}

export interface SqliteBackup {
  /** The absolute path of the copy. */
  file: string;
  bytes: number;
}

const aPath = mustBe(
  'the path of a file',
  (value) => typeof value === 'string' && value !== '' && value !== ':memory:' && !value.includes('\0'),
);
const CHECKS: Checks<SqliteBackupOptions> = { file: aPath, to: aPath };

/**
 * Copies the state of the database at one moment, while servers go on trading. Only the owner may read the copy
 * (mode 0600). The promise resolves when the copy is checked and written to the disk. If anything fails, no copy
 * is left.
 * @throws TypeError for a wrong option, Error when the path of the copy is taken, the folder is missing, the disk
 * is full, or the database cannot be read.
 */
export async function backUpSqlite(options: SqliteBackupOptions): Promise<SqliteBackup> {
  checkOptions('backUpSqlite', options, CHECKS);
  const connect = sqliteConnector();
  const [file, to] = [resolve(options.file), resolve(options.to)];
  await requireFile(file);
  await makeEmpty(to);
  try {
    // `makeEmpty` creates the file and SQLite fills it. So the mode is right from the first byte, and no file
    // is overwritten.
    await using(connect({ file, access: 'read' }), (database) => copyInto(database, file, to));
    await using(connect({ file: to, access: 'read' }), (copy) => requireIntact(copy, to));
    await writeToDisk(to);
    return { file: to, bytes: (await stat(to)).size };
  } catch (error) {
    await rm(to, { force: true });
    throw error;
  }
}

async function using(
  connection: SqliteConnection,
  work: (connection: SqliteConnection) => Promise<void>,
): Promise<void> {
  try {
    await work(connection);
  } finally {
    await connection.close();
  }
}

async function requireFile(file: string): Promise<void> {
  const found = await stat(file).catch(() => null);
  if (found?.isFile() !== true) throw neverMigrated(`there is no database file ${file}`);
}

/** Creates an empty file. Fails when the path exists, even if it is a broken symbolic link. */
async function makeEmpty(file: string): Promise<void> {
  try {
    await (await open(file, 'wx', 0o600)).close();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new Error(`${file} exists; name another file`, { cause: error });
    if (code === 'ENOENT') throw new Error(`the folder ${dirname(file)} does not exist`, { cause: error });
    throw error;
  }
}

async function copyInto(database: SqliteConnection, file: string, to: string): Promise<void> {
  try {
    await database.query('PRAGMA busy_timeout = 10000');
    await database.query('VACUUM INTO $1', [to]);
  } catch (error) {
    throw openingError(error, file);
  }
}

async function requireIntact(copy: SqliteConnection, file: string): Promise<void> {
  const found = await copy.query('PRAGMA integrity_check');
  const first = Object.values(found[0] ?? {})[0];
  if (first !== 'ok') throw new Error(`the copy ${file} is damaged: ${String(first)}`);
}

/** Writes the file and its name in the folder to the disk, so that a power cut does not take the copy away. */
async function writeToDisk(file: string): Promise<void> {
  for (const path of [file, dirname(file)]) {
    const opened = await open(path, 'r');
    try {
      await opened.sync();
    } finally {
      await opened.close();
    }
  }
}
