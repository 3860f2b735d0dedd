/**
 * Paid calls (x402): one row for each payment, claimed by (asset, payer, nonce). `payment`, `command` and `answer`
 * are JSON. `lease_until` is 0, or past, while no worker has the row. `due_at` is the time of the next
 * reconciliation.
 */
import type { Dialect } from '../dialect';

export function paymentsSchema({ table, ddl }: Dialect): string[] {
  const { integer, text } = ddl;
  return [
    `CREATE TABLE ${table('payments')} (
      id ${ddl.identity}, asset ${text} NOT NULL, payer ${text} NOT NULL, nonce ${text} NOT NULL,
      status ${text} NOT NULL CHECK (status IN ('claimed', 'submitted', 'settled', 'delivered', 'rejected')),
      amount ${integer} NOT NULL CHECK (amount > 0),
      operation ${text} NOT NULL, fingerprint ${text} NOT NULL, payment ${text} NOT NULL, command ${text} NOT NULL,
      settled_by ${text}, answer ${text}, reason ${text}, created_at ${integer} NOT NULL, updated_at ${integer} NOT NULL,
      lease_until ${integer} NOT NULL, lease_token ${integer} NOT NULL, due_at ${integer}, attempts ${integer} NOT NULL,
      UNIQUE (asset, payer, nonce)
    ) ${ddl.heapTable}`,
    `CREATE INDEX payments_by_status ON ${table('payments')} (status, id)`,
    `CREATE INDEX payments_due ON ${table('payments')} (due_at, id) WHERE due_at IS NOT NULL`,
    `CREATE INDEX payments_rejected ON ${table('payments')} (updated_at, id) WHERE status = 'rejected'`,
  ];
}
