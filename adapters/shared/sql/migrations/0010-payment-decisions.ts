/** An operator's decision about a settlement whose outcome could not be looked up, as JSON. */
import type { Dialect } from '../dialect';

export function paymentDecisions({ table, ddl }: Dialect): string[] {
  return [`ALTER TABLE ${table('payments')} ADD COLUMN decision ${ddl.text}`];
}
