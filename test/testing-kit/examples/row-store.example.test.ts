import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals'; // or from 'vitest'
import type { Storage } from 'express-prediction-market';
import { memoryStorage, type RowStore, type StoredRow } from 'express-prediction-market/storage/memory';
import { inspectRows, rowStoreConformance, storageConformance } from 'express-prediction-market/testing';

/** What your driver does. Each function is one transaction of the database. */
interface RowDatabase {
  /** Stores `owner` as the owner of the rows, and returns all rows. */
  own(owner: string): Promise<Map<string, string>>;
  /** Rejects unless `owner` still owns the rows. Then it puts each row, and deletes the keys with `null`. */
  commit(owner: string, rows: readonly StoredRow[]): Promise<void>;
}

function databaseStore(database: RowDatabase): RowStore {
  const owner = randomUUID();
  return {
    load: () => database.own(owner),
    // If the database cannot be reached, this has to reject. If the rows waited here instead, the service would
    // confirm a trade to the trader, and a crash of the process would lose it.
    write: (rows) => database.commit(owner, rows),
    close: async () => undefined,
  };
}

const databaseStorage = (database: RowDatabase): Storage => ({
  ...memoryStorage({ store: databaseStore(database) }),
  name: 'database',
});

/** In your test: a new database, and a proxy or a driver that the test can break. */
function newDatabase() {
  let rows = new Map<string, string>();
  let failsAt = Infinity;
  let owner = '';
  let isLost = false;
  const whole = async (work: () => void): Promise<Map<string, string>> => {
    if (isLost) throw new Error('connect ECONNREFUSED');
    work();
    return new Map(rows);
  };
  return {
    async own(next: string): Promise<Map<string, string>> {
      failsAt = Infinity; // a new connection
      return whole(() => void (owner = next));
    },
    async commit(by: string, changes: readonly StoredRow[]): Promise<void> {
      await whole(() => {
        if (by !== owner) throw new Error('another process owns the rows');
        const next = new Map(rows); // a transaction: others see it when it has ended
        for (const [key, row] of changes) {
          if (failsAt === 0) throw new Error('the connection was lost');
          failsAt -= 1; // counts on over transactions, so a write in parts is found
          if (row === null) next.delete(key);
          else next.set(key, row);
        }
        rows = next;
      });
    },
    failAt: async (count: number) => void (failsAt = count),
    read: async () => new Map(rows),
    lose: async () => void (isLost = true),
  };
}

const quiet = (): void => undefined;
const logger = { debug: quiet, info: quiet, warn: quiet, error: quiet };

async function opened(database: RowDatabase): Promise<Storage> {
  const storage = databaseStorage(database);
  await storage.open({ logger });
  return storage;
}

storageConformance(
  { describe, it, expect },
  {
    // `pageCost` and `walkCost` are about the cost of lists. The memory storage serves the lists, and its own tests check
    // their cost.
    provenElsewhere: ['pageCost', 'walkCost'],
    create: async () => {
      const database = newDatabase();
      const storage = await opened(database);
      return {
        storage,
        reopen: () => opened(database),
        inspect: inspectRows(() => database.read()),
        another: false, // one process at a time
        cutOff: false, // reads come from memory, so they go on; the other suite cuts the store off
        loseCommit: false, // the storage stops at a write whose outcome it does not know
        destroy: () => storage.close(),
      };
    },
  },
);

rowStoreConformance(
  { describe, it, expect },
  {
    create: async () => {
      const database = newDatabase();
      return {
        store: databaseStore(database), // new and empty; the suite loads and closes it
        another: async () => databaseStore(database), // the same rows, as a process that starts later
        crash: false, // the database has all of a transaction or nothing
        failAt: database.failAt, // a statement of the next transaction is refused
        cutOff: database.lose,
        damage: false, // the database checks what it has stored
        failWith: false, // a driver asks the database, and reads its answers; for HTTP give these four
        redirect: false,
        garble: false,
        silence: false,
        destroy: async () => undefined,
      };
    },
  },
);
