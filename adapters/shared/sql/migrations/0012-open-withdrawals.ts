/** How many withdrawals a wallet has open is asked before each new one; what it has ever withdrawn may be much more. */
import type { Dialect } from '../dialect';

export function openWithdrawals({ table }: Dialect): string[] {
  return [
    `CREATE INDEX withdrawals_open_by_wallet ON ${table('withdrawals')} (wallet) WHERE status IN ('pending', 'sent')`,
  ];
}
