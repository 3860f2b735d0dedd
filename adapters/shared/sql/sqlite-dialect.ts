import type { ColumnType, Dialect } from './dialect';
import { encodeRows } from './session';

const CASTS: Record<ColumnType, string> = { integer: 'INTEGER', text: 'TEXT', real: 'REAL' };

function rows(columns: Record<string, ColumnType>, parameter = 1): string {
  const cells = Object.entries(columns).map(
    ([name, type], index) => `CAST(value ->> ${index} AS ${CASTS[type]}) AS ${name}`,
  );
  return `r AS (SELECT ${cells.join(', ')}, key AS line FROM json_each($${parameter}))`;
}

function namesAndValues(columns: Readonly<Record<string, string>>): string {
  return Object.entries(columns)
    .map(([name, value]) => `'${name}', ${value}`)
    .join(', ');
}

export const sqliteDialect: Dialect = {
  name: 'sqlite',
  table: (name) => name,
  tableExists: (name) => `SELECT 1 AS found FROM sqlite_schema WHERE type = 'table' AND name = '${name}'`,
  rows,
  typedRows: (_type, columns) => rows(columns),
  encodeTypedRows: encodeRows,
  among: (column, _type, parameter = 1) => `${column} IN (SELECT value FROM json_each($${parameter}))`,
  exact: (expression) => `CAST(${expression} AS TEXT)`,
  // The driver returns one JSON text much faster than many columns.
  packed: (name, columns) => `json_object(${namesAndValues(columns)}) AS ${name}`,
  // JSON functions write only 15 digits of a real number.
  exactReal: (expression) => `iif(${expression} IS NULL, NULL, printf('%!.17g', ${expression}))`,
  indexed: (name) => `INDEXED BY ${name}`,
  holdsShares: 'shares > 0',
  holdsNone: 'shares = 0',
  forUpdate: '',
  forUpdateSkipLocked: '',
  lockTable: () => null,
  lockAllTables: null,
  nextMarketId: `UPDATE counters SET value = value + 1 WHERE name = 'market' RETURNING value AS id`,
  lockName: null,
  postingLines: 'rows',
  eventNumbering: 'append',
  ddl: {
    identity: 'INTEGER PRIMARY KEY AUTOINCREMENT',
    integer: 'INTEGER',
    text: 'TEXT',
    real: 'REAL',
    heapTable: 'STRICT',
    clusteredTable: 'STRICT, WITHOUT ROWID',
    marketIds: [
      'CREATE TABLE counters (name TEXT NOT NULL PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID',
      `INSERT INTO counters (name, value) VALUES ('market', 0)`,
    ],
    eventColumns: 'seq INTEGER PRIMARY KEY AUTOINCREMENT',
    eventIndexes: [],
  },
};
