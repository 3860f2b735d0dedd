/** Indexes for the acts of an operator, and for the acts on a target. */
import type { Dialect } from '../dialect';

export function operatorLogFilters({ table }: Dialect): string[] {
  return ['operator', 'target'].map(
    (column) => `CREATE INDEX operator_log_by_${column} ON ${table('operator_log')} (${column}, id)`,
  );
}
