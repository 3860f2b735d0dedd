/** The key whose request window a regenerated key shares: the first key that was replaced. */
import type { Dialect } from '../dialect';

export function keyWindows({ table, ddl }: Dialect): string[] {
  return [`ALTER TABLE ${table('api_keys')} ADD COLUMN window_of ${ddl.integer}`];
}
