import type { Withdrawal, WithdrawalStatus } from '../domain/withdrawals';
import { isoTime, usd } from './format';

export interface WithdrawalView {
  id: number;
  amount: number;
  status: WithdrawalStatus;
  transaction: string | null;
  createdAt: string;
  updatedAt: string;
}

export interface WithdrawalListView {
  withdrawals: WithdrawalView[];
  total: number;
  limit: number;
  offset: number;
}

/**
 * The view of a withdrawal. Its `transaction` is shown as soon as it is stored, which is just before the
 * transfer is sent.
 */
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
