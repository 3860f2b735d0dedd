import type { Withdrawal, WithdrawalStatus } from '../domain/withdrawals';
import { checksumAddress, isoTime, usd } from './format';

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

export interface OpenWithdrawalView extends WithdrawalView {
  address: string;
}

export interface OpenWithdrawalListView {
  withdrawals: OpenWithdrawalView[];
  limit: number;
  hasMore: boolean;
}

/** The view of a withdrawal. `transaction` is stored just before the transfer is sent. */
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

export function openWithdrawalView(withdrawal: Withdrawal): OpenWithdrawalView {
  return { ...withdrawalView(withdrawal), address: checksumAddress(withdrawal.wallet) };
}
