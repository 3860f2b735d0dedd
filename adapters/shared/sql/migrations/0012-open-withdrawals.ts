/**
 * An index of open withdrawals. Before each new withdrawal the service counts the open withdrawals of the wallet,
 * and the wallet may have very many closed withdrawals.
 */
import type { Dialect } from '../dialect';

export function openWithdrawals({ table }: Dialect): string[] {
  return [
    `CREATE INDEX withdrawals_open_by_wallet ON ${table('withdrawals')} (wallet) WHERE status IN ('pending', 'sent')`,
  ];
}
