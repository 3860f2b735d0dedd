import { oneAtATime } from '../one-at-a-time';

/** A value for a placeholder `$n`. Money is passed as decimal text, never as a number. */
export type BindValue = string | number | null;
export type Row = Record<string, unknown>;

/** Runs one statement and returns its rows. A statement without a result returns no rows. */
export interface Session {
  query(sql: string, bind?: readonly BindValue[]): Promise<Row[]>;
}

/** Runs one statement after the other, in the order of the calls. */
export function oneStatementAtATime(session: Session): Session {
  const inOrder = oneAtATime();
  return { query: (sql, bind) => inOrder(() => session.query(sql, bind)) };
}

/**
 * Runs one statement after the other, and no further statement after a failure. SQLite rolls back some failed
 * transactions by itself, and a server may refuse BEGIN. Later statements would then each commit on their own.
 */
export function untilFailure(session: Session): Session & { rethrow(): void } {
  let failure: { error: unknown } | undefined;
  function rethrow(): void {
    if (failure !== undefined) throw failure.error;
  }
  const { query } = oneStatementAtATime({
    async query(sql, bind) {
      rethrow();
      try {
        return await session.query(sql, bind);
      } catch (error) {
        failure = { error };
        throw error;
      }
    },
  });
  return { query, rethrow };
}

export type Cell = string | number | bigint | boolean | null;

/**
 * Many rows as one bound value: a JSON array of arrays, which `Dialect.rows` unpacks in the statement. A bigint is
 * written as decimal text.
 */
export function encodeRows(rows: readonly (readonly Cell[])[]): string {
  // The cells are converted first, because a replacer function would be slower.
  return JSON.stringify(rows.map((row) => row.map(plainCell)));
}

export function plainCell(cell: Cell): string | number | null {
  switch (typeof cell) {
    case 'bigint':
      return cell.toString();
    case 'boolean':
      return cell ? 1 : 0;
    default:
      return cell;
  }
}

/** The characters that a database cannot store: NUL and lone surrogates. */
export const UNSTORABLE = /[\0\p{Cs}]/u;

/** Texts to look up, as one bound value. A text that no database can store matches no row and is left out. */
export function encodeTexts(texts: readonly string[]): string {
  return JSON.stringify(texts.filter((entry) => !UNSTORABLE.test(entry)));
}

export function encodeIds(ids: readonly number[]): string {
  return JSON.stringify(ids.filter((id) => Number.isSafeInteger(id)));
}
