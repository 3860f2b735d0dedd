import type { OpenResolutionStatus, ResolutionState } from '../domain/oracle/resolution-state';
import type { OracleOutcome } from '../domain/oracle/vote';
import type { Market } from '../domain/types';
import { isoTime } from './format';
import { proposalView, type ProposalView } from './resolution';

export interface ResolutionProgressView {
  status: OpenResolutionStatus;
  /** The number of the newest round that has ended. 0 before the first round has ended. */
  round: number;
  lastOutcome: OracleOutcome | null;
  /** `null`: an operator has to decide. */
  nextAttemptAt: string | null;
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
