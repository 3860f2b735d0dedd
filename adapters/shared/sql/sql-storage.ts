/** The storage port over a connector. */
import { serviceUnavailable } from '../../../src/domain/errors';
import { silentLogger, type Logger } from '../../../src/ports/logger';
import type {
  Reader,
  SnapshotOptions,
  Storage,
  Transaction,
  TransactionOptions,
} from '../../../src/ports/storage';
import { translate, type RerunTransaction } from './driver-errors';
import { withReruns } from './rerun-on-conflict';
import { createServerWatch } from './server-watch';
import type { SqlTransaction } from './repositories';
import type { Session } from './session';
import { unchangedLists } from './unchanged-lists';

/** The part that differs between databases: how to connect, and how a session is made and ended. */
export interface Connector {
  readonly name: string;
  readonly eventNumbering: Storage['eventNumbering'];
  open(logger: Logger): Promise<void>;
  close(): Promise<void>;
  /** Resolves when the database answers queries and this version knows its schema. */
  ping(): Promise<void>;
  /**
   * A text that changes with every commit to the database, by any process. Two equal texts mean that nothing was
   * committed between them. Absent in a database that only this storage uses.
   */
  version?(): Promise<string>;
  /** A session outside of any transaction. Each statement may use another connection. */
  readonly reads: Session;
  /** `snapshot` and `transaction` both run `work` inside a transaction of its own and end that transaction. */
  snapshot<T>(work: (session: Session) => Promise<T>, options?: SnapshotOptions): Promise<T>;
  transaction<T>(work: (session: Session) => Promise<T>, options?: TransactionOptions): Promise<T>;
}

/** The counts since this storage was made. */
export interface SqlStorageStats {
  /**
   * How often a transaction or a migration was run again: after a conflict (SQLSTATE 40001 or 40P01, or a key
   * that was taken meanwhile), or because the server had lost a prepared statement.
   */
  reruns: number;
  /**
   * How many transactions and migrations were refused with SERVICE_UNAVAILABLE because their last rerun failed
   * in the same way.
   */
  givenUp: number;
}

export interface SqlStorage extends Storage {
  stats(): SqlStorageStats;
}

export function sqlStorage(
  connector: Connector,
  repositories: (session: Session) => SqlTransaction,
): SqlStorage {
  const { name, eventNumbering } = connector;
  const reader = withUnchangedLists(repositories(translating(connector.reads)), connector);
  const conflicts = conflictCount(name);
  const server = createServerWatch(name);
  const calls = callsUnderWay();
  let state: 'closed' | 'opening' | 'open' | 'closing' = 'closed';
  let closing: Promise<void> = Promise.resolve();

  function track<T>(start: () => Promise<T>): Promise<T> {
    if (state !== 'open') return Promise.reject(serviceUnavailable('The storage is not open'));
    const call = start().catch((error: unknown) => Promise.reject(translate(error)));
    return calls.add(server.follow(call));
  }

  const onSession =
    <T>(work: (transaction: Transaction) => Promise<T>) =>
    (session: Session): Promise<T> =>
      bounded(session, (inner) => work(repositories(inner)));

  return {
    name,
    eventNumbering,
    stats: () => conflicts.stats(),
    async open({ logger }) {
      if (state !== 'closed') throw new Error(`${name} storage: open was called twice`);
      conflicts.logTo(logger);
      server.logTo(logger);
      state = 'opening';
      try {
        // A migration and a transaction of another instance may wait for each other's locks, so the migration
        // is run again too.
        await withReruns(
          () => connector.open(logger).catch((error: unknown) => Promise.reject(translate(error))),
          conflicts.add,
        );
        state = 'open';
      } catch (error) {
        state = 'closed';
        throw error;
      }
    },
    close() {
      if (state === 'open') {
        state = 'closing';
        closing = calls.ended().then(() => connector.close());
      }
      return closing;
    },
    ping: () => track(() => connector.ping()),
    read: (work) => track(() => work(reader)),
    snapshot: (work, options) => track(() => connector.snapshot(onSession(work), options)),
    transaction: (work, options) =>
      track(() => withReruns(() => connector.transaction(onSession(work), options), conflicts.add)),
  };
}

function withUnchangedLists(reader: SqlTransaction, { version }: Connector): Reader {
  if (version === undefined) return reader;
  const { list, nextDue } = reader.markets;
  return { ...reader, markets: { ...reader.markets, list: unchangedLists({ list, nextDue, version }) } };
}

function conflictCount(storage: string) {
  const stats: SqlStorageStats = { reruns: 0, givenUp: 0 };
  let logger: Logger = silentLogger;
  return {
    stats: (): SqlStorageStats => ({ ...stats }),
    logTo: (given: Logger): void => void (logger = given),
    add(conflict: RerunTransaction, givenUp: boolean): void {
      stats[givenUp ? 'givenUp' : 'reruns'] += 1;
      const fields = { err: conflict, storage, ...stats };
      if (givenUp) logger.warn(fields, 'storage: a transaction met one conflict too many');
      else logger.debug(fields, 'storage: a transaction runs again');
    },
  };
}

function callsUnderWay() {
  const running = new Set<Promise<unknown>>();
  return {
    add<T>(call: Promise<T>): Promise<T> {
      running.add(call);
      const forget = (): void => void running.delete(call);
      call.then(forget, forget);
      return call;
    },
    ended: () => Promise.allSettled(running),
  };
}

function translating(session: Session): Session {
  return {
    query: (sql, bind) =>
      session.query(sql, bind).catch((error: unknown) => Promise.reject(translate(error))),
  };
}

/**
 * Runs the work on a session that ends with it. A statement that the caller did not await must not run in the
 * next transaction. So this waits for the started statements and refuses later statements.
 */
async function bounded<T>(session: Session, work: (inner: Session) => Promise<T>): Promise<T> {
  let ended = false;
  const statements = callsUnderWay();
  const inner = translating({
    query(sql, bind) {
      if (ended) return Promise.reject(new Error('This transaction has ended'));
      return statements.add(session.query(sql, bind));
    },
  });
  try {
    return await work(inner);
  } finally {
    ended = true;
    await statements.ended();
  }
}
