/**
 * Each deposit also stores the reserved part of the balance after it, because a repeated request gets the same
 * answer. Older deposits get 0.
 */
import type { Dialect } from '../dialect';

export function depositAnswers({ table, ddl }: Dialect): string[] {
  return [`ALTER TABLE ${table('deposits')} ADD COLUMN reserved_after ${ddl.integer} NOT NULL DEFAULT 0`];
}
