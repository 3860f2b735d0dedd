/**
 * Stores the outbox in batches: the events that a transaction appends are a JSON array in one row, or in a few rows.
 * `first_seq` is the number of the first event of a row, and the next events have the next numbers. `data` is an
 * array of `[market_id, market_seq, kind, data]`.
 */
import type { Dialect } from '../dialect';

export function eventBatches({ name, table, ddl, eventNumbering }: Dialect): string[] {
  const batches = table('event_batches');
  const atOnce = eventNumbering === 'append';
  const array =
    name === 'postgres'
      ? 'CAST(json_build_array(json_build_array(market_id, market_seq, kind, CAST(data AS json))) AS text)'
      : 'json_array(json_array(market_id, market_seq, kind, json(data)))';
  const numbered = atOnce ? '' : ' WHERE first_seq IS NOT NULL';
  return [
    `CREATE TABLE ${batches} (
      id ${ddl.identity}, first_seq ${ddl.integer}${atOnce ? ' NOT NULL' : ''}, size ${ddl.integer} NOT NULL CHECK (size > 0),
      created_at ${ddl.integer} NOT NULL, data ${ddl.text} NOT NULL
    ) ${ddl.heapTable}`,
    // Keeps the order of the old rows. Rows without a number are numbered in the order of their ids.
    `INSERT INTO ${batches} (first_seq, size, created_at, data)
      SELECT seq, 1, created_at, ${array} FROM ${table('events')} ORDER BY ${atOnce ? 'seq' : 'id'}`,
    `CREATE UNIQUE INDEX event_batches_by_seq ON ${batches} (first_seq)${numbered}`,
    `CREATE INDEX event_batches_by_age ON ${batches} (created_at, first_seq)${numbered}`,
    ...(atOnce ? [] : [`CREATE INDEX event_batches_waiting ON ${batches} (id) WHERE first_seq IS NULL`]),
    // Switches off the compression of the batches.
    ...(name === 'postgres' ? [`ALTER TABLE ${batches} ALTER COLUMN data SET STORAGE EXTERNAL`] : []),
    `DROP TABLE ${table('events')}`,
  ];
}
