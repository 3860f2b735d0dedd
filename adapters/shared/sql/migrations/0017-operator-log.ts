/** What operators have changed, one row for each act. Rows are only added. `details` is JSON. */
import type { Dialect } from '../dialect';

export function operatorLog({ table, ddl }: Dialect): string[] {
  const { identity, integer, text } = ddl;
  return [
    `CREATE TABLE ${table('operator_log')} (
      id ${identity}, at ${integer} NOT NULL, operator ${text} NOT NULL, action ${text} NOT NULL,
      target ${text} NOT NULL, details ${text} NOT NULL
    ) ${ddl.heapTable}`,
    `CREATE INDEX operator_log_by_action ON ${table('operator_log')} (action, id)`,
  ];
}
