/** Money on its way from a wallet's balance to the chain. */
import type { Address } from './types';

/**
 * `pending`: reserved, nothing sent. `sent`: it may have been sent. `confirmed`: paid and booked. `failed`: never paid, the
 * reservation is given back.
 */
export const WITHDRAWAL_STATUSES = ['pending', 'sent', 'confirmed', 'failed'] as const;
export type WithdrawalStatus = (typeof WITHDRAWAL_STATUSES)[number];

export interface Withdrawal {
  id: number;
  wallet: Address;
  /** Counts the withdrawals of the wallet from 1: the newest one's is their number. */
  walletSeq: number;
  /** Micro-USD, more than 0. */
  amount: bigint;
  status: WithdrawalStatus;
  /** What the payout adapter has prepared; set while `sent`. */
  payoutState: string | null;
  /** Hash of the transaction that pays, once there is one. */
  transaction: string | null;
  /** Why it has failed. */
  reason: string | null;
  createdAt: number;
  updatedAt: number;
}
