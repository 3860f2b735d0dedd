/**
 * The answer to a deposit contains the reserved part of the balance, and a repeated request gets the same
 * answer. So it is stored. When older deposits were made there were no withdrawals, so nothing was reserved.
 */
import type { Dialect } from '../dialect';

export function depositAnswers({ table, ddl }: Dialect): string[] {
  return [`ALTER TABLE ${table('deposits')} ADD COLUMN reserved_after ${ddl.integer} NOT NULL DEFAULT 0`];
}
