/** The fragments of SQL in which the two databases differ. */
import type { Storage } from '../../../src/ports/storage';
import type { Cell } from './session';

export type ColumnType = 'integer' | 'text' | 'real';

/**
 * The row types that migration 0020 creates in Postgres. The columns that `typedRows` gets must be the
 * columns of the type, in the same order.
 */
export type RowType = 'trade_row' | 'posting_row' | 'position_row' | 'account_change' | 'candle_row';

export interface Dialect {
  readonly name: 'sqlite' | 'postgres';
  /** The table's name, with the schema if there is one. */
  table(name: string): string;
  /** A statement that returns a row if the table exists. */
  tableExists(name: string): string;
  /**
   * A common table expression `r` that unpacks the rows of `encodeRows`. It has the given columns,
   * and the position of the row as `line`.
   */
  rows(columns: Record<string, ColumnType>, parameter?: number): string;
  /** Like `rows`, for the rows of `encodeTypedRows`, which Postgres reads faster. */
  typedRows(type: RowType, columns: Record<string, ColumnType>): string;
  encodeTypedRows(rows: readonly (readonly Cell[])[]): string;
  /** A condition: the column is one of the values of `encodeIds` or `encodeTexts`. */
  among(column: string, type: 'integer' | 'text', parameter?: number): string;
  /** An expression for an integer that may exceed 2^53, as decimal text. */
  exact(expression: string): string;
  /** An expression for use in `packed`: a real number with all its digits, as a number or as decimal text. */
  exactReal(expression: string): string;
  /**
   * The select list for many columns. SQLite sends them as one JSON text in a column called `name`, Postgres as
   * separate columns. `unpacked(row, name)` reads both forms.
   */
  packed(name: string, columns: Readonly<Record<string, string>>): string;
  /**
   * Names the index that SQLite has to use, where its planner would choose a worse one. The fragment follows a
   * table's alias in FROM. Empty for Postgres.
   */
  indexed(name: string): string;
  /**
   * The condition that a row of `positions` has shares. It is worded as in the partial indexes, because a
   * planner uses such an index only for the same words.
   */
  readonly holdsShares: string;
  readonly holdsNone: string;
  /**
   * Ends a SELECT that locks its rows. Empty for a database with one writer at a time, which needs no row
   * locks.
   */
  readonly forUpdate: string;
  readonly forUpdateSkipLocked: string;
  /**
   * A statement that blocks all other writers of the table until the transaction ends. `null` for a database
   * whose transactions do that by themselves.
   */
  lockTable(name: string): string | null;
  /**
   * A statement that keeps other connections from reading and writing the tables that the role owns, until the
   * transaction ends. `null` for a database with one writer at a time.
   */
  readonly lockAllTables: string | null;
  /** A statement that returns a new market id as `id`. */
  readonly nextMarketId: string;
  /**
   * A statement that locks the name `$1` until the transaction ends, for rows that do not exist yet. `null` for a
   * database with one writer at a time, which needs no such lock.
   */
  readonly lockName: string | null;
  /**
   * Where the entries of a posting are stored: in rows of their own (`rows`), or in arrays in the posting's row
   * (`arrays`). With arrays, `entries` is a view.
   */
  readonly postingLines: 'rows' | 'arrays';
  /**
   * In a database with one writer at a time, `append` numbers events in the order of commits. Otherwise the relay
   * numbers them.
   */
  readonly eventNumbering: Storage['eventNumbering'];
  /** The words in which the CREATE and ALTER statements of the databases differ. */
  readonly ddl: {
    identity: string;
    integer: string;
    text: string;
    real: string;
    /** Ends a CREATE TABLE whose rows are stored by a row id, not in the order of the primary key. */
    heapTable: string;
    clusteredTable: string;
    /** Statements that create the source of market ids. */
    marketIds: readonly string[];
    /** The first columns of `events`, and the index of the rows without a number. */
    eventColumns: string;
    eventIndexes: readonly string[];
  };
}
