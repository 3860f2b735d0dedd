import type { Withdrawal } from '../domain/withdrawals';
import { isoTime, usd } from './format';
import type { WithdrawalView } from './types';

/** What the payout adapter has prepared stays inside. */
export function withdrawalView(withdrawal: Withdrawal): WithdrawalView {
  const { id, amount, status, transaction, createdAt, updatedAt } = withdrawal;
  return {
    id,
    amount: usd(amount),
    status,
    transaction,
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
  };
}
