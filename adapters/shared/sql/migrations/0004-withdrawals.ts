/**
 * Withdrawals: one row for each, which is never deleted. `wallet_seq` counts the withdrawals of a wallet from
 * 1. `payout_state` is the state that the payout adapter has prepared, stored before anything is sent.
 * `paid_by` is the hash of the transaction.
 */
import type { Dialect } from '../dialect';

export function withdrawalsSchema({ table, ddl }: Dialect): string[] {
  const { integer, text } = ddl;
  return [
    `CREATE TABLE ${table('withdrawals')} (
      id ${ddl.identity}, wallet ${text} NOT NULL, wallet_seq ${integer} NOT NULL,
      amount ${integer} NOT NULL CHECK (amount > 0),
      status ${text} NOT NULL CHECK (status IN ('pending', 'sent', 'confirmed', 'failed')),
      payout_state ${text}, paid_by ${text}, reason ${text}, created_at ${integer} NOT NULL, updated_at ${integer} NOT NULL,
      UNIQUE (wallet, wallet_seq)
    ) ${ddl.heapTable}`,
    `CREATE INDEX withdrawals_by_wallet ON ${table('withdrawals')} (wallet, id)`,
    `CREATE INDEX withdrawals_open ON ${table('withdrawals')} (id) WHERE status IN ('pending', 'sent')`,
  ];
}
