/**
 * How far the resolution of a market has come, as it is stored, and how it moves on: docs/resolution.md, "States".
 * Pure: time arrives as an argument.
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
 * `waiting`: another round will come. `stalled`: the same, after eight rounds or more without an answer. `proposed`:
 * decided, and paid when the challenge period ends. `escalated`: only an operator decides. `done`: the market is resolved.
 */
export const RESOLUTION_STATUSES = ['waiting', 'stalled', 'proposed', 'escalated', 'done'] as const;
export type ResolutionStatus = (typeof RESOLUTION_STATUSES)[number];
export const OPEN_RESOLUTION_STATUSES = ['waiting', 'stalled', 'proposed', 'escalated'] as const;
export type OpenResolutionStatus = (typeof OPEN_RESOLUTION_STATUSES)[number];

/** An outcome that voters agreed on. */
export interface Proposal {
  outcome: DecisiveOutcome;
  /** Of the consensus. It becomes the market's `oracleConsensus`. */
  confidence: number;
  proposedAt: number;
  /** When the market is resolved unless an operator decided before; `null`: only an operator decides. */
  payAt: number | null;
}

/** One for each market that has stopped trading. */
export interface ResolutionState {
  marketId: number;
  status: ResolutionStatus;
  history: RoundHistory;
  /** What the newest round that has ended said; `null` before. */
  lastOutcome: OracleOutcome | null;
  proposal: Proposal | null;
  /** When the next round begins, or the proposal is followed; `null`: not by itself. */
  nextAttemptAt: number | null;
  updatedAt: number;
}

/** What the votes of a round came to. */
export type RoundVerdict = { finding: RoundFinding; consensus: Consensus; decision: RoundDecision };

/**
 * One round of a market. `asking`: its voters are being asked, or an instance died meanwhile. `voted`: the votes are
 * stored, and what follows from them is not. `followed`: that is stored as well.
 */
export interface ResolutionRound {
  marketId: number;
  /** From 1, without a gap. */
  round: number;
  status: 'asking' | 'voted' | 'followed';
  /** The market's lease under which the voters were asked. */
  leaseToken: number;
  startedAt: number;
  endedAt: number | null;
  votes: readonly Vote[];
  /** `null` while `asking`. */
  verdict: RoundVerdict | null;
  /** Voters asked, and what they cost in micro-USD; while `asking` an estimate. A repetition adds to both. */
  calls: number;
  costMicros: bigint;
}
export const ROUND_STATUSES = ['asking', 'voted', 'followed'] as const satisfies ResolutionRound['status'][];

/** So many rounds without an answer make a resolution `stalled`. */
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

/** The state when the votes of a round are stored. What follows from them comes with the next step. */
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
 * An operator has the voters asked again. Rounds count anew; that voters have contradicted each other stays known, so
 * two unanimous rounds in a row are needed.
 */
export function rearm(state: ResolutionState, now: number): ResolutionState {
  const history = { ...NO_ROUNDS, hasSplit: state.history.hasSplit };
  return { ...state, status: 'waiting', history, proposal: null, nextAttemptAt: now, updatedAt: now };
}
