import type { Withdrawal, WithdrawalStatus } from '../domain/withdrawals';
import { checksumAddress, isoTime, usd } from './format';

export interface WithdrawalView {
  /** The number of the withdrawal. */
  id: number;
  /** What was asked for, USD. */
  amount: number;
  /** Reserved, sent, paid, or failed and given back. */
  status: WithdrawalStatus;
  /** Hash of the transaction that pays, once there is one. */
  transaction: string | null;
  /** When it was asked for, ISO 8601. */
  createdAt: string;
  /** When its status last changed, ISO 8601. */
  updatedAt: string;
}

export interface WithdrawalListView {
  withdrawals: WithdrawalView[];
  /** How many rows there are on all pages together. */
  total: number;
  /** How many rows a page has at most. */
  limit: number;
  /** How many rows before this page were skipped. */
  offset: number;
}

export interface OperatorWithdrawalView extends WithdrawalView {
  /** Why it has failed; null while it has not. */
  reason: string | null;
}

export interface OperatorWithdrawalListView {
  withdrawals: OperatorWithdrawalView[];
  /** How many rows there are on all pages together. */
  total: number;
  /** How many rows a page has at most. */
  limit: number;
  /** How many rows before this page were skipped. */
  offset: number;
}

export interface OpenWithdrawalView extends WithdrawalView {
  /** EVM address in EIP-55 form. */
  address: string;
}

export interface OpenWithdrawalListView {
  withdrawals: OpenWithdrawalView[];
  /** How many rows a page has at most. */
  limit: number;
  /** Whether more rows follow this page. */
  hasMore: boolean;
}

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

export function operatorWithdrawalView(withdrawal: Withdrawal): OperatorWithdrawalView {
  return { ...withdrawalView(withdrawal), reason: withdrawal.reason };
}
