/**
 * The reserved part of the balance after a deposit is stored, because a repeated request gets the same answer.
 * When older deposits were made there were no withdrawals, so nothing was reserved.
 */
import type { Dialect } from '../dialect';

export function depositAnswers({ table, ddl }: Dialect): string[] {
  return [`ALTER TABLE ${table('deposits')} ADD COLUMN reserved_after ${ddl.integer} NOT NULL DEFAULT 0`];
}
