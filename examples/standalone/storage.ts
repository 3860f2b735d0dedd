/** Makes the storage that DATABASE_URL names. */
import type { Storage } from 'express-prediction-market';
import { memoryStorage } from 'express-prediction-market/storage/memory';
import { postgresStorage } from 'express-prediction-market/storage/postgres';
import {
  lockForServer,
  sqliteStorage,
  type MigrationOptions,
  type SqliteServerLock,
} from 'express-prediction-market/storage/sqlite';
import type { StorageChoice } from './settings';

export function openStorage(choice: StorageChoice, migrations: MigrationOptions = {}): Storage {
  switch (choice.kind) {
    case 'memory':
      return memoryStorage();
    case 'sqlite':
      return sqliteStorage({ file: choice.file, ...migrations });
    case 'postgres':
      return postgresStorage({ url: choice.url, ...migrations });
  }
}

/** The lock that shows whether another server uses the same SQLite file. `null` for other storages. */
export async function lockStorage(choice: StorageChoice): Promise<SqliteServerLock | null> {
  return choice.kind === 'sqlite' ? lockForServer({ file: choice.file }) : null;
}

/** Whether this is the migration that a database without tables begins with. */
export const isFirstMigration = (name: string): boolean => name.startsWith('0001-');

/** The same storage, whose `open` also runs `read` before a market or its jobs use the data. */
export function readAtOpening(storage: Storage, read: () => Promise<void>): Storage {
  return {
    ...openedElsewhere(storage),
    async open(context) {
      await storage.open(context);
      try {
        await read();
      } catch (error) {
        await storage.close();
        throw error;
      }
    },
    close: () => storage.close(),
  };
}

/** The storage for a further market of this process, which neither opens nor closes it. */
export function openedElsewhere(storage: Storage): Storage {
  return {
    name: storage.name,
    eventNumbering: storage.eventNumbering,
    open: () => Promise.resolve(),
    close: () => Promise.resolve(),
    ping: () => storage.ping(),
    read: (work) => storage.read(work),
    snapshot: (work, options) => storage.snapshot(work, options),
    transaction: (work, options) => storage.transaction(work, options),
  };
}
