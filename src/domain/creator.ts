/** How a creator's status moves: by the wallet's own application, and by operators. */
import type { Address, Creator } from './types';

export interface Application {
  displayName: string | null;
  statement: string | null;
}

/**
 * Nobody, pending and rejected wallets (re-)apply and are pending. An approved creator stays approved and may change the
 * display name; a suspended one stays suspended: only an operator lifts that.
 */
export function applyForApproval(
  address: Address,
  current: Creator | null,
  { displayName, statement }: Application,
  now: number,
): Creator {
  const stays = current?.status === 'approved' || current?.status === 'suspended';
  return {
    address,
    status: stays ? current.status : 'pending',
    displayName: displayName ?? current?.displayName ?? null,
    statement: statement ?? current?.statement ?? null,
    appliedAt: stays ? (current.appliedAt ?? now) : now,
    approvedAt: current?.approvedAt ?? null,
    rejectedReason: stays ? current.rejectedReason : null,
    updatedAt: now,
  };
}

/**
 * Operators move between all states, and may judge a wallet that never applied. `approvedAt` tells since when an
 * approval stands, or when the last one was given; the reason is that of a rejection or of a suspension.
 */
export function judge(
  address: Address,
  current: Creator | null,
  { verdict, reason }: { verdict: 'approved' | 'rejected' | 'suspended'; reason: string | null },
  now: number,
): Creator {
  return {
    address,
    status: verdict,
    displayName: current?.displayName ?? null,
    statement: current?.statement ?? null,
    appliedAt: current?.appliedAt ?? null,
    approvedAt: verdict === 'approved' ? approvalTime(current, now) : (current?.approvedAt ?? null),
    rejectedReason: verdict === 'approved' ? null : reason,
    updatedAt: now,
  };
}

/** Approving again what is approved does not make it younger. */
function approvalTime(current: Creator | null, now: number): number {
  return current?.status === 'approved' ? (current.approvedAt ?? now) : now;
}
