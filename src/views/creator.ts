import type { Address, Creator, CreatorStatus } from '../domain/types';
import { checksumAddress, isoTimeOrNull } from './format';

export interface CreatorStatusView {
  /** EVM address in EIP-55 form. */
  address: string;
  /** Only an approved creator may create markets. */
  status: CreatorStatus;
  /** When the wallet applied, ISO 8601. */
  appliedAt: string | null;
  /** When it was approved, ISO 8601. */
  approvedAt: string | null;
  /** Why operators rejected the creator; null with another status. */
  rejectedReason: string | null;
}

export interface CreatorView extends CreatorStatusView {
  /** Why operators rejected or suspended the creator; null with another status. */
  rejectedReason: string | null;
  /** The name that the creator has chosen. */
  displayName: string | null;
  /** What the creator wrote in the application. */
  statement: string | null;
}

export interface CreatorListView {
  creators: CreatorView[];
  /** How many rows there are on all pages together. */
  total: number;
  /** How many rows a page has at most. */
  limit: number;
  /** How many rows before this page were skipped. */
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

/** The status of a creator. `rejectedReason` is set only with the status `rejected`. */
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
