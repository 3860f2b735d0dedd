/**
 * One transaction, or one read, over a lent connection. What is sent behind a BEGIN that is refused on a connection that
 * lives on (a cancelled backend, no memory, a pooler's error) runs by itself, and what it writes is committed: so nothing
 * that may write is sent before the server has answered that the transaction has begun. Reads travel with the BEGIN.
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

/** Runs `work` in a transaction that the statement `begin` opens, and ends it. */
export async function inTransaction<T>(
  session: LentSession,
  begin: string,
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
  const sending = session.pipelined ? session : untilFailure(session);
  const beginning = noting(sending.query(begin));
  // Work that sends statements learns of it from them; work that sends none is told below.
  beginning.catch(() => undefined);
  const begun = behind(sending, beginning);
  const watched: Session = {
    query: (sql, bind) => Promise.all([noting(begun.query(sql, bind)), beginning]).then(([rows]) => rows),
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

/** Sends reads at once. The first statement that may write, and all that are asked behind it, wait until the transaction has begun. */
function behind(session: Session, beginning: Promise<unknown>): Session {
  let state: 'asked' | 'begun' | 'refused' = 'asked';
  let held: (() => void)[] = [];
  // Those that are held come in one go and in their order, before anything new is asked.
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
 * Whether a statement changes nothing that outlives it, wherever it runs. By Postgres's grammar only these words make one that
 * begins with SELECT or WITH write; the functions that ours call take locks, and numbers that may be skipped.
 */
export function onlyReads(sql: string): boolean {
  const withoutLocks = sql.replaceAll(/\bFOR (?:NO KEY )?UPDATE\b/gi, '');
  return (
    /^\s*(?:SELECT|WITH)\b/i.test(sql) && !/\b(?:INSERT|UPDATE|DELETE|MERGE|INTO)\b|;/i.test(withoutLocks)
  );
}

/**
 * One read in a transaction of its own, which is what carries its settings; the three statements travel together. Should
 * the BEGIN be refused, the read is refused with it, and the COMMIT ends nothing.
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

/** A work that waits for its statements in its own order may hear first of one behind the one that failed. */
function isOfAborted(error: unknown): boolean {
  return isAbortedTransaction(isPredictionMarketError(error) ? error.cause : error);
}

function isLost(failure: unknown): boolean {
  return isPredictionMarketError(failure) || failureKind(failure) === 'unavailable';
}

async function commit(session: LentSession): Promise<void> {
  // Ended behind our back, by a pooler that has changed the server: what was written may stand without the rest.
  if (session.status() === IDLE) throw serviceUnavailable('The transaction was ended before its commit');
  try {
    await session.query('COMMIT');
  } catch (error) {
    // Refused outright (a serialization failure) is a rollback; anything else may or may not have been written.
    if (failureKind(error) === 'rerun') throw error;
    throw serviceUnavailable('The outcome of the commit is unknown', error);
  }
}
