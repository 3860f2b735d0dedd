import type { Address } from './types';

/**
 * `pending`: the amount is reserved and nothing was sent. `sent`: the money may have been sent. `confirmed`:
 * the wallet was paid, and this is booked. `failed`: the wallet was not paid and never will be, and the
 * amount is available again.
 */
export const WITHDRAWAL_STATUSES = ['pending', 'sent', 'confirmed', 'failed'] as const;
export type WithdrawalStatus = (typeof WITHDRAWAL_STATUSES)[number];

/** The statuses of withdrawals that hold back money. */
export const OPEN_STATUSES = ['pending', 'sent'] as const satisfies WithdrawalStatus[];
export type OpenStatus = (typeof OPEN_STATUSES)[number];

export function isOpen({ status }: Pick<Withdrawal, 'status'>): boolean {
  return OPEN_STATUSES.some((open) => open === status);
}

export interface Withdrawal {
  id: number;
  wallet: Address;
  /** The number of this withdrawal among those of the wallet, from 1. The highest number is their count. */
  walletSeq: number;
  /** Micro-USD, more than 0. */
  amount: bigint;
  status: WithdrawalStatus;
  /** The newest `PayoutState` of the payout adapter, such as a signed transfer; set while `sent`. */
  payoutState: string | null;
  /** The hash of the transaction on the chain, if it is known. */
  transaction: string | null;
  reason: string | null;
  createdAt: number;
  updatedAt: number;
}
