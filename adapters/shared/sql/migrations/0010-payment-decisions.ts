/** What an operator has said of a settlement that nobody could look up, as JSON. */
import type { Dialect } from '../dialect';

export function paymentDecisions({ table, ddl }: Dialect): string[] {
  return [`ALTER TABLE ${table('payments')} ADD COLUMN decision ${ddl.text}`];
}
