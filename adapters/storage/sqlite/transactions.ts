import { serviceUnavailable } from '../../../src/domain/errors';
import { failureKind } from '../../shared/sql/driver-errors';
import { untilFailure, type Session } from '../../shared/sql/session';

/**
 * How long SQLite itself waits for a lock of another process, in one attempt. Four attempts stay below the 5
 * seconds after which the storage has to refuse a call.
 */
export const BUSY_TIMEOUT_MS = 1_000;
const BEGIN_ATTEMPTS = 4;

/**
 * Takes the write lock at the beginning. A deferred transaction would ask for the lock at its first write, and
 * might then have to fail.
 */
export async function beginImmediate(session: Session): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await session.query('BEGIN IMMEDIATE');
      return;
    } catch (error) {
      if (failureKind(error) !== 'unavailable' || attempt === BEGIN_ATTEMPTS) throw error;
    }
  }
}

/** Runs `work` in the transaction that the session has begun, and ends that transaction. */
export async function finishing<T>(session: Session, work: (transaction: Session) => Promise<T>): Promise<T> {
  const transaction = untilFailure(session);
  let result: T;
  try {
    result = await work(transaction);
    transaction.rethrow();
  } catch (error) {
    await rollback(session);
    throw error;
  }
  try {
    await session.query('COMMIT');
  } catch (error) {
    await rollback(session);
    throw serviceUnavailable('The outcome of the commit is unknown', error);
  }
  return result;
}

/** Rolls the transaction back. SQLite may have done so by itself, and then nothing is left to end. */
async function rollback(session: Session): Promise<void> {
  await session.query('ROLLBACK').catch(() => undefined);
}
