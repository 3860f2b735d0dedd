import { setImmediate as nextTurn } from 'node:timers/promises';
import { isPredictionMarketError, serviceUnavailable } from '../../../src/domain/errors';
import type { Dialect } from '../sequelize/dialect';
import { failureKind, isAbortedTransaction, isPreparedStatementLost } from '../sequelize/errors';
import { checkSchema, migrate } from '../sequelize/migrate';
import type { PostgresPool, TimeLimits } from '../sequelize/postgres-pool';
import type { Session } from '../sequelize/session';
import type { Connector } from '../sequelize/sql-storage';

/** Below the 5 seconds within which a storage that is away has to reject. */
const LIMITS: TimeLimits = { firstMs: 4_500, laterMs: 4_500 };
/** An audit may work for long, once it has begun. */
const PATIENT: TimeLimits = { firstMs: 4_500, laterMs: 600_000 };
/** A migration that is cut off has to begin anew, and keeps everybody waiting again. */
const MIGRATING: TimeLimits = { firstMs: 4_500, laterMs: 86_400_000, discardAfterFailure: true };

/**
 * Settings go with each transaction (SET LOCAL) and not with the session, which a pooler in transaction mode shares.
 * The idle limit frees the rows of an instance that was paused in the middle. The isolation is named because the
 * host's database may have a stricter default, under which every contended row would cost a rerun.
 */
const BEGIN = [
  'BEGIN ISOLATION LEVEL READ COMMITTED',
  'SET LOCAL statement_timeout = 4400',
  'SET LOCAL idle_in_transaction_session_timeout = 10000',
  // Every statement of a transaction looks rows up by their keys. Planned while a table is small, it would read the
  // table whole, and a prepared statement keeps such a plan until the next ANALYZE, however fast the table grows.
  'SET LOCAL enable_seqscan = off',
  'SET LOCAL enable_hashjoin = off',
  'SET LOCAL enable_mergejoin = off',
].join('; ');
const BEGIN_SNAPSHOT = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = 0';
const BEGIN_MIGRATION =
  'BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0';

export function postgresConnector(pool: PostgresPool, dialect: Dialect, schema: string): Connector {
  const within =
    (limits: TimeLimits, begin: string): Connector['transaction'] =>
    (work) =>
      pool.lend(limits, async (session) => {
        const begun = session.query(begin);
        return finishing(session, begun, work);
      });

  const reads: Session = {
    query: (sql, bind) => onceMore(() => pool.lend(LIMITS, (session) => session.query(sql, bind))),
  };

  return {
    name: 'postgres',
    open: (logger) =>
      within(
        MIGRATING,
        BEGIN_MIGRATION,
      )(async (session) => {
        // Two instances may start at once: the second waits here, and then finds everything done.
        await session.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
          `express-prediction-market:${schema}`,
        ]);
        await session.query(`CREATE SCHEMA IF NOT EXISTS "${schema}"`);
        await migrate(dialect, session, logger);
      }),
    close: () => pool.close(),
    ping: () => checkSchema(dialect, reads),
    reads,
    snapshot: (work) => onceMore(() => within(PATIENT, BEGIN_SNAPSHOT)(work)),
    transaction: within(LIMITS, BEGIN),
  };
}

/** A read that met a forgotten statement: from then on none is prepared, so that the second try meets none. */
async function onceMore<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!isPreparedStatementLost(error)) throw error;
    return read();
  }
}

/**
 * Runs `work` behind the statement `begun` and ends the transaction. The first statements travel together: a
 * server that cannot begin says so by closing the connection, and what was sent behind is then lost as well.
 */
async function finishing<T>(
  session: Session,
  begun: Promise<unknown>,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  let failure: { error: unknown } | undefined;
  const noting = <R>(statement: Promise<R>): Promise<R> =>
    statement.catch(async (error: unknown) => {
      failure ??= { error };
      // What was sent behind a failed statement fails with it. Work that waits for both is to hear the cause first.
      if (isAbortedTransaction(error)) await nextTurn();
      throw error;
    });
  const beginning = noting(begun);
  // Whoever asks something learns of it; a work that asks nothing is told below.
  beginning.catch(() => undefined);
  const watched: Session = {
    query: (sql, bind) => Promise.all([noting(session.query(sql, bind)), beginning]).then(([rows]) => rows),
  };
  let result: T;
  try {
    result = await work(watched);
    await beginning;
    // After a failed statement Postgres turns COMMIT into a rollback without a word.
    if (failure !== undefined) throw failure.error;
  } catch (error) {
    // A connection that is lost is thrown away, and its transaction with it: asking it would cost the time limit again.
    if (!isLost(failure?.error)) await session.query('ROLLBACK').catch(() => undefined);
    throw failure !== undefined && isOfAborted(error) ? failure.error : error;
  }
  await commit(session);
  return result;
}

/** A work that waits for its statements in its own order may hear first of one behind the one that failed. */
function isOfAborted(error: unknown): boolean {
  return isAbortedTransaction(isPredictionMarketError(error) ? error.cause : error);
}

function isLost(failure: unknown): boolean {
  return isPredictionMarketError(failure) || failureKind(failure) === 'unavailable';
}

async function commit(session: Session): Promise<void> {
  try {
    await session.query('COMMIT');
  } catch (error) {
    // Refused outright (a serialization failure) is a rollback; anything else may or may not have been written.
    if (failureKind(error) === 'rerun') throw error;
    throw serviceUnavailable('The outcome of the commit is unknown', error);
  }
}
