/**
 * Postgres only: removes two things that cost time at every trade.
 * - The foreign key of entries. The statement that writes an entry finds its posting in the same transaction, so
 * the check is not needed.
 * - Index entries of events that have no number yet.
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
