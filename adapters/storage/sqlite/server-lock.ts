import { open, realpath, stat } from 'node:fs/promises';
import { checkOptions, type Checks } from '../../../src/domain/options';
import { sqliteConnector } from '../../shared/sql/sqlite-connection';
import { aDatabaseFile } from './database-file';

export interface SqliteServerLockOptions {
  /** The path of the database file. */
  file: string;
}

export interface SqliteServerLock {
  /**
   * `held`: this process holds the lock. `taken`: another process holds it. `unknown`: SQLite could not be asked.
   */
  state: 'held' | 'taken' | 'unknown';
  /** Gives the lock back, if this process holds it. */
  release(): Promise<void>;
}

const CHECKS: Checks<SqliteServerLockOptions> = { file: aDatabaseFile };

/**
 * Asks for the lock that a server holds on its database file while it runs, so that a second server can warn. The
 * storage works without this lock. The lock is an exclusive transaction on the empty SQLite file `<file>.server`.
 * When a process ends in any way, the operating system gives the lock back.
 * Does not reject for a file that cannot be locked: the state is then `unknown`, as for `:memory:`.
 * @throws TypeError for a wrong option, Error of one line when the package `sequelize` or `sqlite3` is not
 * installed.
 */
export async function lockForServer(options: SqliteServerLockOptions): Promise<SqliteServerLock> {
  checkOptions('lockForServer', options, CHECKS);
  const connect = sqliteConnector();
  const free: SqliteServerLock = { state: 'unknown', release: () => Promise.resolve() };
  if (options.file === ':memory:') return free;

  const { file: given } = options;
  const file = `${await realpath(given).catch(() => given)}.server`;
  const lock = connect({ file, access: 'write' });
  try {
    await makeFile(file);
    await lock.query('PRAGMA busy_timeout = 0');
    // Without this setting, SQLite would create a journal file beside the lock file.
    await lock.query('PRAGMA journal_mode = MEMORY');
    await lock.query('BEGIN EXCLUSIVE');
    return { state: 'held', release: () => lock.close() };
  } catch (error) {
    await lock.close();
    return { ...free, state: isBusy(error) ? 'taken' : 'unknown' };
  }
}

/**
 * Creates the file if it is missing. If SQLite created it, other users could open the file and take the lock. An
 * existing file is not opened here: closing it would end the locks that this process has on it.
 * @throws Error for a link that leads to no file, because SQLite would make a file there.
 */
async function makeFile(file: string): Promise<void> {
  try {
    await (await open(file, 'wx', 0o600)).close();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    await stat(file);
  }
}

function isBusy(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'SQLITE_BUSY';
}
