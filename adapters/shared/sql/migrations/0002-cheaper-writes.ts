/**
 * Postgres only: what a trade paid for at every row and nothing needed.
 * - Entries are written by a statement that finds their posting in the same transaction, so the foreign key found
 *   nothing, and its check (a look-up and a row lock an entry) was half of what writing the ledger cost.
 * - An event is read by number or age once it has a number: without one it is in `events_waiting` alone.
 */
import type { Dialect } from '../dialect';

export function cheaperWrites({ table }: Dialect): string[] {
  const events = table('events');
  return [
    `ALTER TABLE ${table('entries')} DROP CONSTRAINT IF EXISTS entries_posting_id_fkey`,
    `ALTER TABLE ${events} DROP CONSTRAINT IF EXISTS events_seq_key`,
    `CREATE UNIQUE INDEX events_by_seq ON ${events} (seq) WHERE seq IS NOT NULL`,
    `DROP INDEX ${table('events_by_age')}`,
    `CREATE INDEX events_by_age ON ${events} (created_at, seq) WHERE seq IS NOT NULL`,
  ];
}
