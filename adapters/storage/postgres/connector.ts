import { isPredictionMarketError, serviceUnavailable } from '../../../src/domain/errors';
import type { Dialect } from '../sequelize/dialect';
import { failureKind } from '../sequelize/errors';
import { migrate } from '../sequelize/migrate';
import type { PostgresPool, TimeLimits } from '../sequelize/postgres-pool';
import type { Session } from '../sequelize/session';
import type { Connector } from '../sequelize/sql-storage';

/** Below the 5 seconds within which a storage that is away has to reject. */
const LIMITS: TimeLimits = { firstMs: 4_500, laterMs: 4_500 };
/** An audit and a migration may work for long, once they have begun. */
const PATIENT: TimeLimits = { firstMs: 4_500, laterMs: 600_000 };

/**
 * Settings go with each transaction (SET LOCAL) and not with the session, which a pooler in transaction mode shares.
 * The idle limit frees the rows of an instance that was paused in the middle.
 */
const BEGIN = `BEGIN; SET LOCAL statement_timeout = 4400; SET LOCAL idle_in_transaction_session_timeout = 10000`;
const BEGIN_SNAPSHOT = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = 0';
const BEGIN_MIGRATION = 'BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0';

export function postgresConnector(pool: PostgresPool, dialect: Dialect, schema: string): Connector {
  const within =
    (limits: TimeLimits, begin: string): Connector['transaction'] =>
    (work) =>
      pool.lend(limits, async (session) => {
        await session.query(begin);
        return finishing(session, work);
      });

  return {
    name: 'postgres',
    open: (logger) =>
      within(
        PATIENT,
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
    reads: { query: (sql, bind) => pool.lend(LIMITS, (session) => session.query(sql, bind)) },
    snapshot: within(PATIENT, BEGIN_SNAPSHOT),
    transaction: within(LIMITS, BEGIN),
  };
}

async function finishing<T>(session: Session, work: (session: Session) => Promise<T>): Promise<T> {
  let failure: Error | undefined;
  const watched: Session = {
    query: (sql, bind) =>
      session.query(sql, bind).catch((error: unknown) => {
        failure ??= error instanceof Error ? error : new Error('A statement failed', { cause: error });
        throw error;
      }),
  };
  let result: T;
  try {
    result = await work(watched);
    // After a failed statement Postgres turns COMMIT into a rollback without a word.
    if (failure !== undefined) throw failure;
  } catch (error) {
    // A connection that is lost is thrown away, and its transaction with it: asking it would cost the time limit again.
    if (!isLost(failure)) await session.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
  await commit(session);
  return result;
}

function isLost(failure: Error | undefined): boolean {
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
