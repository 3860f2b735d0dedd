/** Whose request window a key goes on with: that of the first key of its line, where it was regenerated. */
import type { Dialect } from '../dialect';

export function keyWindows({ table, ddl }: Dialect): string[] {
  return [`ALTER TABLE ${table('api_keys')} ADD COLUMN window_of ${ddl.integer}`];
}
