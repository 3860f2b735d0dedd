/** The first key in a chain of regenerated keys. All keys of the chain share one rolling window. */
import type { Dialect } from '../dialect';

export function keyWindows({ table, ddl }: Dialect): string[] {
  return [`ALTER TABLE ${table('api_keys')} ADD COLUMN window_of ${ddl.integer}`];
}
