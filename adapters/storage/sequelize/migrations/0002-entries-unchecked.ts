/**
 * Postgres only: entries are written by a statement that finds their posting in the same transaction, so the foreign
 * key found nothing, and its check (a look-up and a row lock an entry) was half of what writing the ledger cost.
 */
import type { Dialect } from '../dialect';

export function entriesUnchecked({ table }: Dialect): string[] {
  return [`ALTER TABLE ${table('entries')} DROP CONSTRAINT IF EXISTS entries_posting_id_fkey`];
}
