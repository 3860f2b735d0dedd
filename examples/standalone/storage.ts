/** Makes the storage that DATABASE_URL names. */
import type { Storage } from 'express-prediction-market';
import { memoryStorage } from 'express-prediction-market/storage/memory';
import { postgresStorage } from 'express-prediction-market/storage/postgres';
import { sqliteStorage, type MigrationOptions } from 'express-prediction-market/storage/sqlite';
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
