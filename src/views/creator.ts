import type { Address, Creator } from '../domain/types';
import { checksumAddress, isoTimeOrNull } from './format';
import type { CreatorStatusView, CreatorView } from './types';

/** A wallet that has never applied, and that no operator has judged. */
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

export function creatorStatusView(creator: Creator): CreatorStatusView {
  return {
    address: checksumAddress(creator.address),
    status: creator.status,
    appliedAt: isoTimeOrNull(creator.appliedAt),
    approvedAt: isoTimeOrNull(creator.approvedAt),
    rejectedReason: creator.rejectedReason,
  };
}

/** For operators: with what the applicant wrote. */
export function creatorView(creator: Creator): CreatorView {
  return { ...creatorStatusView(creator), displayName: creator.displayName, statement: creator.statement };
}
