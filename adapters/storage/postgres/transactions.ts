/**
 * Transactions and single reads over a lent connection. The server may refuse BEGIN although the connection still
 * works. Statements that were sent right after BEGIN would then commit on their own. So a statement that may write
 * waits for the answer to BEGIN.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isPredictionMarketError, serviceUnavailable } from '../../../src/domain/errors';
import { failureKind, isAbortedTransaction } from '../../shared/sql/driver-errors';
import { IDLE } from '../../shared/sql/postgres-statements';
import type { LentSession } from '../../shared/sql/postgres-pool';
import {
  oneStatementAtATime,
  untilFailure,
  type BindValue,
  type Row,
  type Session,
} from '../../shared/sql/session';

/** Runs `work` in a transaction, which the statement `begin` begins. */
export async function inTransaction<T>(
  session: LentSession,
  begin: string,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  let failure: { error: unknown } | undefined;
  const noting = <R>(statement: Promise<R>): Promise<R> =>
    statement.catch(async (error: unknown) => {
      failure ??= { error };
      // Statements that were sent after a failed statement fail too. Work that waits for several statements
      // should first get the error of the statement that caused this.
      if (isAbortedTransaction(error)) await nextTurn();
      throw error;
    });
  const sending = session.pipelined ? session : untilFailure(session);
  const beginning = noting(sending.query(begin));
  // Each statement of `work` waits for BEGIN too, and rejects with the error of BEGIN. If `work` sends no
  // statement, `await beginning` below throws that error.
  beginning.catch(() => undefined);
  const begun = behind(sending, beginning);
  const watched: Session = {
    query: (sql, bind) => Promise.all([noting(begun.query(sql, bind)), beginning]).then(([rows]) => rows),
  };
  let result: T;
  try {
    result = await work(watched);
    await beginning;
    // After a failed statement, Postgres silently turns COMMIT into a rollback.
    if (failure !== undefined) throw failure.error;
  } catch (error) {
    // A lost connection is closed, and its transaction ends with it. A ROLLBACK over a lost connection would
    // only wait until its time limit.
    if (!isLost(failure?.error)) await session.query('ROLLBACK').catch(() => undefined);
    throw failure !== undefined && isOfAborted(error) ? failure.error : error;
  }
  await commit(session);
  return result;
}

/**
 * A session that sends reads at once. The first statement that may write, and all statements after it, wait
 * until the transaction has begun.
 */
function behind(session: Session, beginning: Promise<unknown>): Session {
  let state: 'asked' | 'begun' | 'refused' = 'asked';
  let held: (() => void)[] = [];
  // The waiting statements are sent together and in order, before any newer statement.
  const answered = (answer: 'begun' | 'refused'): void => {
    state = answer;
    const waiting = held;
    held = [];
    for (const goOn of waiting) goOn();
  };
  beginning.then(
    () => answered('begun'),
    () => answered('refused'),
  );
  function query(sql: string, bind?: readonly BindValue[]): Promise<Row[]> {
    if (state === 'refused') return beginning.then(() => []);
    if (state === 'begun' || (held.length === 0 && onlyReads(sql))) return session.query(sql, bind);
    return new Promise((resolve) => held.push(() => resolve(query(sql, bind))));
  }
  return { query };
}

/**
 * Whether a statement stores no change. In Postgres's grammar a statement that begins with SELECT or WITH can
 * write only with one of the words INSERT, UPDATE, DELETE, MERGE and INTO. The functions that our statements
 * call only take locks, or sequence numbers that may be skipped.
 */
export function onlyReads(sql: string): boolean {
  const withoutLocks = sql.replaceAll(/\bFOR (?:NO KEY )?UPDATE\b/gi, '');
  return (
    /^\s*(?:SELECT|WITH)\b/i.test(sql) && !/\b(?:INSERT|UPDATE|DELETE|MERGE|INTO)\b|;/i.test(withoutLocks)
  );
}

/**
 * Runs one read in a transaction of its own, because settings belong to a transaction. BEGIN, the read and
 * COMMIT are sent together. Rejects if the server refuses BEGIN. The read may then run outside of a transaction,
 * which changes nothing.
 */
export async function readAlone(
  session: LentSession,
  begin: string,
  sql: string,
  bind?: readonly BindValue[],
): Promise<Row[]> {
  const sending = session.pipelined ? session : oneStatementAtATime(session);
  const begun = sending.query(begin);
  const read = sending.query(sql, bind);
  const ended = sending.query('COMMIT');
  await Promise.allSettled([begun, read, ended]);
  await begun;
  return read;
}

/** Whether the error comes from a statement that was sent after a failed statement. */
function isOfAborted(error: unknown): boolean {
  return isAbortedTransaction(isPredictionMarketError(error) ? error.cause : error);
}

function isLost(failure: unknown): boolean {
  return isPredictionMarketError(failure) || failureKind(failure) === 'unavailable';
}

async function commit(session: LentSession): Promise<void> {
  // A pooler that has changed the server has ended the transaction. Earlier writes may be stored without later
  // writes.
  if (session.status() === IDLE) throw serviceUnavailable('The transaction was ended before its commit');
  try {
    await session.query('COMMIT');
  } catch (error) {
    // A definite refusal, such as a serialization failure, means that the server has rolled back. After any other
    // error it is not known whether the writes were stored.
    if (failureKind(error) === 'rerun') throw error;
    throw serviceUnavailable('The outcome of the commit is unknown', error);
  }
}
