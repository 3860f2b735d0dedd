/**
 * The stored state of a market's resolution, and its changes (docs/resolution.md "States"). The code is pure:
 * time is an argument.
 */
import type { Consensus } from './consensus';
import {
  NO_ROUNDS,
  type RoundDecision,
  type RoundFinding,
  type RoundHistory,
  type RoundResult,
} from './rounds';
import type { DecisiveOutcome, OracleOutcome, Vote } from './vote';

/**
 * - `waiting`: another round will follow.
 * - `stalled`: another round will follow, after eight or more fruitless rounds (`RoundHistory.fruitless`).
 * - `proposed`: the voters have decided, and the market pays when the challenge period ends.
 * - `escalated`: only an operator can decide.
 * - `done`: the market is resolved.
 */
export const RESOLUTION_STATUSES = ['waiting', 'stalled', 'proposed', 'escalated', 'done'] as const;
export type ResolutionStatus = (typeof RESOLUTION_STATUSES)[number];
export const OPEN_RESOLUTION_STATUSES = ['waiting', 'stalled', 'proposed', 'escalated'] as const;
export type OpenResolutionStatus = (typeof OPEN_RESOLUTION_STATUSES)[number];

/** An outcome that voters agreed on. */
export interface Proposal {
  outcome: DecisiveOutcome;
  /**
   * The confidence of the consensus. If the proposal is carried out, it becomes the market's
   * `oracleConsensus`.
   */
  confidence: number;
  proposedAt: number;
  /** When the market is resolved, if no operator decides before. `null`: only an operator can decide. */
  payAt: number | null;
}

export interface ResolutionState {
  marketId: number;
  status: ResolutionStatus;
  history: RoundHistory;
  /** The outcome of the newest ended round. `null` before the first one has ended. */
  lastOutcome: OracleOutcome | null;
  proposal: Proposal | null;
  /**
   * When the next round begins, or when the proposal is carried out. `null`: only an operator can continue,
   * or the market is resolved.
   */
  nextAttemptAt: number | null;
  updatedAt: number;
}

export type RoundVerdict = { finding: RoundFinding; consensus: Consensus; decision: RoundDecision };

/**
 * One round of a market. `asking`: the voters are being asked, or the instance that asked them has stopped.
 * `voted`: the votes are stored, and the decision on them is not carried out yet. `followed`: the decision is
 * carried out, or an operator has resolved the market first.
 */
export interface ResolutionRound {
  marketId: number;
  /** The number of the round. The rounds of a market count from 1 without gaps, also after `rearm`. */
  round: number;
  status: 'asking' | 'voted' | 'followed';
  /** The token of the market's lease under which the voters were asked. */
  leaseToken: number;
  startedAt: number;
  endedAt: number | null;
  votes: readonly Vote[];
  /** `null` while `asking`. */
  verdict: RoundVerdict | null;
  /**
   * The number of calls to voters, and their cost in micro-USD. In the status `asking`, both contain an
   * estimate. If a round is repeated, both figures grow.
   */
  calls: number;
  costMicros: bigint;
}
export const ROUND_STATUSES = ['asking', 'voted', 'followed'] as const satisfies ResolutionRound['status'][];

/**
 * A round whose votes are stored, for the host's `onOracleRound`. Only the instance that asked the voters
 * reports the round.
 */
export interface OracleRound {
  /** The number of the market. */
  marketId: number;
  /** The number of the round, from 1. */
  round: number;
  /** What the votes say together. */
  finding: RoundFinding;
  /** What follows from the round. */
  decision: RoundDecision['kind'];
  votes: readonly Vote[];
}

const STALLED_ROUNDS = 8;

export function startResolution(marketId: number, now: number): ResolutionState {
  return {
    marketId,
    status: 'waiting',
    history: NO_ROUNDS,
    lastOutcome: null,
    proposal: null,
    nextAttemptAt: now,
    updatedAt: now,
  };
}

/**
 * The state after the votes of a round are stored. The decision on them is not carried out yet, and is due
 * now.
 */
export function afterVotes(state: ResolutionState, result: RoundResult, now: number): ResolutionState {
  const { history, consensus } = result;
  return { ...state, history, lastOutcome: consensus.outcome, nextAttemptAt: now, updatedAt: now };
}

export function askAgain(state: ResolutionState, nextAttemptAt: number, now: number): ResolutionState {
  const status = state.history.fruitless >= STALLED_ROUNDS ? 'stalled' : 'waiting';
  return { ...state, status, proposal: null, nextAttemptAt, updatedAt: now };
}

export function propose(state: ResolutionState, proposal: Proposal, now: number): ResolutionState {
  return { ...state, status: 'proposed', proposal, nextAttemptAt: proposal.payAt, updatedAt: now };
}

export function escalate(state: ResolutionState, proposal: Proposal | null, now: number): ResolutionState {
  return { ...state, status: 'escalated', proposal, nextAttemptAt: null, updatedAt: now };
}

export function finish(state: ResolutionState, now: number): ResolutionState {
  return { ...state, status: 'done', nextAttemptAt: null, updatedAt: now };
}

/**
 * The state after an operator has ordered that the voters are asked again. `history` is reset, but the
 * numbers of rounds continue. Only `hasSplit` is kept, because two unanimous rounds in a row are needed after
 * a split.
 */
export function rearm(state: ResolutionState, now: number): ResolutionState {
  const history = { ...NO_ROUNDS, hasSplit: state.history.hasSplit };
  return { ...state, status: 'waiting', history, proposal: null, nextAttemptAt: now, updatedAt: now };
}
