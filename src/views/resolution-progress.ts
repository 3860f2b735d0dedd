import type { OpenResolutionStatus, ResolutionState } from '../domain/oracle/resolution-state';
import type { OracleOutcome } from '../domain/oracle/vote';
import type { Market } from '../domain/types';
import { isoTime } from './format';
import { proposalView, type ProposalView } from './resolution';

export interface ResolutionProgressView {
  /**
   * waiting: further rounds follow; stalled: eight rounds had no quorum or were TOO_EARLY, and further rounds
   * follow; proposed: an outcome is proposed and not paid out yet; escalated: only an operator can decide.
   */
  status: OpenResolutionStatus;
  /** The newest round that has ended; 0 before the first. */
  round: number;
  /** The common answer of the newest round that has ended; null before the first. */
  lastOutcome: OracleOutcome | null;
  /** When the next round begins, or the proposal is carried out, ISO 8601; null: an operator has to decide. */
  nextAttemptAt: string | null;
  /** null while nothing is proposed. */
  proposal: ProposalView | null;
}

/** `null` while the market is open, and after it was resolved. */
export function resolutionProgressView(
  market: Pick<Market, 'oracleAttempts'>,
  state: ResolutionState | null,
): ResolutionProgressView | null {
  if (state === null || state.status === 'done') return null;
  const { status, lastOutcome, nextAttemptAt, proposal } = state;
  return {
    status,
    round: market.oracleAttempts,
    lastOutcome,
    nextAttemptAt: nextAttemptAt === null ? null : isoTime(nextAttemptAt),
    proposal: proposal === null ? null : proposalView(proposal),
  };
}
