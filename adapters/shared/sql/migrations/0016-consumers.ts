/**
 * Consumers of facts. `consumers` has one row for each consumer, with its position. `parked_facts` has the
 * facts that a handler could not handle, as the outbox had them: `data` is JSON.
 */
import type { Dialect } from '../dialect';

export function consumers({ table, ddl }: Dialect): string[] {
  const { integer, text } = ddl;
  return [
    `CREATE TABLE ${table('consumers')} (
      name ${text} NOT NULL PRIMARY KEY, epoch ${text} NOT NULL, seq ${integer} NOT NULL,
      token ${integer} NOT NULL, owner ${text}, owned_until ${integer} NOT NULL,
      failures ${integer} NOT NULL, last_error ${text},
      created_at ${integer} NOT NULL, updated_at ${integer} NOT NULL
    ) ${ddl.clusteredTable}`,
    `CREATE TABLE ${table('parked_facts')} (
      consumer ${text} NOT NULL, seq ${integer} NOT NULL, epoch ${text} NOT NULL,
      market_id ${integer}, market_seq ${integer}, kind ${text} NOT NULL, created_at ${integer} NOT NULL,
      data ${text} NOT NULL, failures ${integer} NOT NULL, error ${text} NOT NULL,
      parked_at ${integer} NOT NULL, redo ${integer} NOT NULL,
      PRIMARY KEY (consumer, seq, epoch)
    ) ${ddl.clusteredTable}`,
  ];
}
