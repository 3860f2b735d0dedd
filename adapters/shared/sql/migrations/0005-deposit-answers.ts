/**
 * What was reserved when a deposit was credited belongs to its answer, which a repetition gets again. Deposits of before
 * withdrawals have had nothing reserved.
 */
import type { Dialect } from '../dialect';

export function depositAnswers({ table, ddl }: Dialect): string[] {
  return [`ALTER TABLE ${table('deposits')} ADD COLUMN reserved_after ${ddl.integer} NOT NULL DEFAULT 0`];
}
