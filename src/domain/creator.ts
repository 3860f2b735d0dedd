import type { Address, Creator, CreatorStatus } from './types';

export type CreatorVerdict = Exclude<CreatorStatus, 'none' | 'pending'>;

export interface Application {
  displayName: string | null;
  statement: string | null;
}

/**
 * The creator after the wallet applies. A wallet that is unknown, pending or rejected becomes pending. An
 * approved or suspended creator keeps the status, and may change the display name and the statement.
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
 * The creator after an operator's decision. Every change of status is allowed, also for a wallet that never
 * applied. `approvedAt` is the time at which the wallet last became approved. Only a rejection or a
 * suspension has a reason.
 */
export function decidedCreator(
  address: Address,
  current: Creator | null,
  { verdict, reason }: { verdict: CreatorVerdict; reason: string | null },
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

function approvalTime(current: Creator | null, now: number): number {
  return current?.status === 'approved' ? (current.approvedAt ?? now) : now;
}
