/**
 * The fragments of SQL that differ between the two databases. Every statement in repositories/ is written once, in SQL
 * that both understand, around these fragments.
 */
import type { Storage } from '../../../src/ports/storage';

export type ColumnType = 'integer' | 'text' | 'real';

export interface Dialect {
  readonly name: 'sqlite' | 'postgres';
  /** The table's name, qualified where there is a schema. */
  table(name: string): string;
  /** A statement that gives a row when there is a table of the name. */
  tableExists(name: string): string;
  /**
   * A common table expression `r` that unpacks what `encodeRows` packed, one column an entry and the
   * position of the row as `line`.
   */
  rows(columns: Record<string, ColumnType>, parameter?: number): string;
  /** A condition: the column is among the values that `encodeIds` or `encodeTexts` packed. */
  among(column: string, type: 'integer' | 'text', parameter?: number): string;
  /** An integer that may exceed 2^53, as decimal text. */
  exact(expression: string): string;
  /** Follows a table's alias in FROM: the index to use, where the planner would take a worse one. */
  indexed(name: string): string;
  /** Conditions on a row of `positions`: it has shares, or has none any more. Written as in its indexes. */
  readonly holdsShares: string;
  readonly holdsNone: string;
  /** Row locks; empty where one writer at a time makes them needless. */
  readonly forUpdate: string;
  readonly forUpdateSkipLocked: string;
  /** A statement that keeps every other writer off the table until the transaction ends; `null` where there is none. */
  lockTable(name: string): string | null;
  /** Keeps all other connections off all tables until the transaction ends; `null` where the transaction does that. */
  readonly holdAllTables: string | null;
  /** A statement that gives a fresh market id as `id`. */
  readonly nextMarketId: string;
  /** A statement that locks the name `$1` until the transaction ends, where rows that do not exist yet cannot be locked; else `null`. */
  readonly holdName: string | null;
  /** Where the lines of a posting are: in rows of their own, or in arrays of its row, with `entries` as a view. */
  readonly postingLines: 'rows' | 'arrays';
  /** Where one transaction writes at a time, `append` numbers events in the order of commits. Elsewhere the relay does. */
  readonly eventNumbering: Storage['eventNumbering'];
  /** Words of the data definition language. */
  readonly ddl: {
    identity: string;
    integer: string;
    text: string;
    real: string;
    /** Ends a CREATE TABLE whose rows are found by a row id, or clustered by their primary key. */
    heapTable: string;
    clusteredTable: string;
    /** What gives market ids. */
    marketIds: readonly string[];
    /** The first columns of `events`, and the index of those without a number. */
    eventColumns: string;
    eventIndexes: readonly string[];
  };
}
