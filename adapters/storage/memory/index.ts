/** A storage in the memory of this process. The data end with the process, unless a row store keeps them. */
import { serviceUnavailable } from '../../../src/domain/errors';
import { checkOptions, implementing, optional, type Checks } from '../../../src/domain/options';
import type { Storage, Transaction } from '../../../src/ports/storage';
import { createDatabase, type Database, type Gate } from './database';
import { createReader, createTransaction } from './repositories';
import { createRowKeeper, type RowKeeper } from './row-store';
import type { RowStore } from './row-store-port';
import { TransactionConflict } from './transaction-conflict';
import { TransactionLock } from './transaction-lock';

/** The most runs of one transaction, so that a `work` that conflicts in every run comes to an end. */
const MAX_ATTEMPTS = 5;

export type { RowStore, StoredRow } from './row-store-port';

export interface MemoryStorageOptions {
  /** Keeps the rows, so that they outlive the process. Default: the data end with the process. */
  store?: RowStore | undefined;
}

const CHECKS: Checks<MemoryStorageOptions> = {
  store: optional(
    implementing<RowStore>('a row store with the functions load, write and close', [
      'load',
      'write',
      'close',
    ]),
  ),
};

/**
 * The storage port in memory. Transactions run one at a time, in the order of arrival. Readers see committed rows
 * only.
 */
export function memoryStorage(options: MemoryStorageOptions = {}): Storage {
  checkOptions('memoryStorage', options, CHECKS);
  const { store } = options;
  const db = createDatabase({ notesRows: store !== undefined });
  const keeper = store === undefined ? null : createRowKeeper(db, store);
  const lock = new TransactionLock();
  const calls = createCallCounter(keeper);
  const reader = createReader(db, (statement) => lock.whenIdle(statement));
  // No transaction writes during a snapshot, so its statements need no gate.
  const snapshotReader = createReader(db, immediately);
  return {
    name: 'memory',
    eventNumbering: 'append',
    open: () => calls.open(),
    close: () => calls.close(),
    ping: () => calls.track(() => Promise.resolve()),
    read: (work) => calls.track(() => work(reader)),
    snapshot: (work) => calls.track(() => lock.shared(() => work(snapshotReader))),
    transaction: (work) => calls.track(() => lock.exclusive(() => runTransaction(db, keeper, work))),
  };
}

const immediately: Gate = async (statement) => statement();

async function runTransaction<T>(
  db: Database,
  keeper: RowKeeper | null,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await attemptTransaction(db, keeper, work);
    if (outcome.committed) return outcome.result;
    if (attempt === MAX_ATTEMPTS) {
      throw serviceUnavailable('The transaction met a conflict each time it was run', outcome.conflict);
    }
  }
}

type Outcome<T> = { committed: true; result: T } | { committed: false; conflict: TransactionConflict };

async function attemptTransaction<T>(
  db: Database,
  keeper: RowKeeper | null,
  work: (transaction: Transaction) => Promise<T>,
): Promise<Outcome<T>> {
  const state = { running: true, conflict: null as TransactionConflict | null };
  const gate: Gate = async (statement) => {
    if (!state.running) throw new Error('storage: this transaction has ended');
    try {
      return statement();
    } catch (error) {
      // The conflict is also remembered, because a `work` that catches the error must not commit half of its
      // writes.
      if (error instanceof TransactionConflict) state.conflict = error;
      throw error;
    }
  };
  try {
    const result = await work(createTransaction(db, gate));
    if (state.conflict === null) {
      // A statement that `work` has not awaited must not change rows while they are written to the store.
      state.running = false;
      await keeper?.write(db.undo.touched);
      db.undo.commit();
      return { committed: true, result };
    }
  } catch (error) {
    if (state.conflict === null) {
      db.undo.rollback();
      throw error;
    }
  } finally {
    state.running = false;
  }
  db.undo.rollback();
  return { committed: false, conflict: state.conflict };
}

/** Refuses calls while the storage is not open, and lets `close` wait for the last running call. */
function createCallCounter(keeper: RowKeeper | null) {
  let state: 'new' | 'opening' | 'open' | 'closed' = 'new';
  let running = 0;
  let idle: (() => void)[] = [];
  return {
    async open(): Promise<void> {
      if (state !== 'new') throw new Error('storage: open may be called once');
      state = 'opening';
      try {
        await keeper?.load();
        state = 'open';
      } finally {
        // After a failure the caller may try again.
        if (state === 'opening') state = 'new';
      }
    },
    async close(): Promise<void> {
      const wasOpen = state === 'open';
      state = 'closed';
      if (running > 0) await new Promise<void>((resolve) => idle.push(resolve));
      if (wasOpen) await keeper?.close();
    },
    async track<T>(work: () => Promise<T>): Promise<T> {
      if (state !== 'open')
        throw serviceUnavailable(`The memory storage is ${state === 'closed' ? 'closed' : 'not open yet'}`);
      keeper?.requireWhole();
      running += 1;
      try {
        return await work();
      } finally {
        running -= 1;
        if (running === 0) {
          for (const resolve of idle) resolve();
          idle = [];
        }
      }
    },
  };
}
