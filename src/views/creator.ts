import type { Address, Creator, CreatorStatus } from '../domain/types';
import { checksumAddress, isoTimeOrNull } from './format';

export interface CreatorStatusView {
  address: string;
  status: CreatorStatus;
  appliedAt: string | null;
  approvedAt: string | null;
  rejectedReason: string | null;
}

export interface CreatorView extends CreatorStatusView {
  displayName: string | null;
  statement: string | null;
}

export interface CreatorListView {
  creators: CreatorView[];
  total: number;
  limit: number;
  offset: number;
}

/** The record of a wallet that never applied, and about which no operator has decided. */
export function unknownCreator(address: Address): Creator {
  return {
    address,
    status: 'none',
    displayName: null,
    statement: null,
    appliedAt: null,
    approvedAt: null,
    rejectedReason: null,
    updatedAt: 0,
  };
}

/** The status of a creator. `rejectedReason` is null unless the status is `rejected`. */
export function creatorStatusView(creator: Creator): CreatorStatusView {
  return {
    address: checksumAddress(creator.address),
    status: creator.status,
    appliedAt: isoTimeOrNull(creator.appliedAt),
    approvedAt: isoTimeOrNull(creator.approvedAt),
    rejectedReason: creator.status === 'rejected' ? creator.rejectedReason : null,
  };
}

/** The record of a creator for operators. It also has the application and the reason of a suspension. */
export function creatorView(creator: Creator): CreatorView {
  const { displayName, statement, rejectedReason } = creator;
  return { ...creatorStatusView(creator), rejectedReason, displayName, statement };
}
