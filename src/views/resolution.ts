import { effectiveStatus } from '../domain/market';
import { mergeCitations } from '../domain/oracle/citations';
import type { Consensus } from '../domain/oracle/consensus';
import {
  OPEN_RESOLUTION_STATUSES,
  type OpenResolutionStatus,
  type Proposal,
  type ResolutionRound,
  type ResolutionState,
} from '../domain/oracle/resolution-state';
import type { DecisiveOutcome, OracleOutcome, Vote } from '../domain/oracle/vote';
import type { Market, MarketStatus, Outcome, Resolution } from '../domain/types';
import type { ResolutionRecord } from '../ports/storage';
import { isoTime } from './format';
import { publicErrorOf, type OracleCitationView } from './oracle';

export interface ProposalView {
  outcome: DecisiveOutcome;
  oracleConsensus: number;
  proposedAt: string;
  /** When the proposal is carried out. `null`: only an operator can decide. */
  payAt: string | null;
}

export interface ResolutionSummaryView {
  marketId: number;
  status: OpenResolutionStatus;
  question: string;
  /** The number of the newest round that has ended. 0 before the first round has ended. */
  round: number;
  lastOutcome: OracleOutcome | null;
  nextAttemptAt: string | null;
}

export interface ResolutionListView {
  resolutions: ResolutionSummaryView[];
  total: number;
  limit: number;
  offset: number;
}

export interface PublicVoteView {
  oracle: string;
  model: string | null;
  outcome: OracleOutcome;
  probability: number;
  confidence: number;
  citations: OracleCitationView[];
  reasoning: string;
  latencyMs: number;
  /** Set if the voter has failed. Only operators see the reason. */
  error?: string;
}

export interface VoteView extends PublicVoteView {
  costUsd?: number;
}

export interface RoundView {
  round: number;
  startedAt: string;
  votes: VoteView[];
  /** `null` while the voters are being asked. */
  consensus: Consensus | null;
}

/** `open` while the market trades, then the states of the market's resolution, then `resolved`. */
export const EVIDENCE_STATUSES = ['open', ...OPEN_RESOLUTION_STATUSES, 'resolved'] as const;

/** The resolution of one market, as operators see it. */
export interface ResolutionEvidenceView {
  marketId: number;
  status: (typeof EVIDENCE_STATUSES)[number];
  rounds: RoundView[];
  proposal?: ProposalView;
}

/** The resolution of one market, as the public sees it. */
export interface MarketResolutionView {
  marketId: number;
  status: MarketStatus;
  /** The next five fields are `null` while the market is not resolved. */
  outcome: Outcome | null;
  method: Resolution['method'] | null;
  resolvedAt: string | null;
  oracleConsensus: number | null;
  note: string | null;
  /** The votes of the newest round that has ended. */
  votes: PublicVoteView[];
  citations: OracleCitationView[];
  proposal?: ProposalView;
}

export function resolutionSummaryView(record: ResolutionRecord): ResolutionSummaryView {
  const { marketId, status, lastOutcome, nextAttemptAt, market } = record;
  // The storage does not list resolutions that are done.
  if (status === 'done') throw new Error(`The resolution of market ${marketId} is done`);
  return {
    marketId,
    status,
    question: market.question,
    round: market.oracleAttempts,
    lastOutcome,
    nextAttemptAt: nextAttemptAt === null ? null : isoTime(nextAttemptAt),
  };
}

/**
 * The view for operators. `state` is `null` while the market trades, and after an operator has resolved an open
 * market.
 */
export function resolutionEvidenceView(
  market: Market,
  state: ResolutionState | null,
  rounds: readonly ResolutionRound[],
): ResolutionEvidenceView {
  return {
    marketId: market.id,
    status: evidenceStatus(market, state),
    rounds: rounds.map(roundView),
    ...proposalOf(state),
  };
}

function evidenceStatus(market: Market, state: ResolutionState | null): ResolutionEvidenceView['status'] {
  if (market.status !== 'resolving') return market.status;
  return state === null || state.status === 'done' ? 'waiting' : state.status;
}

function roundView({ round, startedAt, votes, verdict }: ResolutionRound): RoundView {
  return {
    round,
    startedAt: isoTime(startedAt),
    votes: votes.map((vote) => ({
      ...publicVoteView(vote),
      ...(vote.costUsd !== undefined && { costUsd: vote.costUsd }),
      ...(vote.error !== undefined && { error: vote.error }),
    })),
    consensus: verdict === null ? null : { ...verdict.consensus },
  };
}

/** `newest` is the newest round that has ended. */
export function marketResolutionView(
  market: Market,
  state: ResolutionState | null,
  newest: ResolutionRound | null,
  now: number,
): MarketResolutionView {
  const { resolution } = market;
  const votes = newest?.votes ?? [];
  return {
    marketId: market.id,
    status: effectiveStatus(market, now),
    outcome: resolution?.outcome ?? null,
    method: resolution?.method ?? null,
    resolvedAt: resolution === null ? null : isoTime(resolution.resolvedAt),
    oracleConsensus: resolution?.oracleConsensus ?? null,
    note: resolution?.note ?? null,
    votes: votes.map(publicVoteView),
    citations: mergeCitations(...votes.map((vote) => vote.citations)),
    ...proposalOf(state),
  };
}

/** A vote without the fields that are not published, such as its costs and the text of its error. */
function publicVoteView(vote: Vote): PublicVoteView {
  const { oracle, model, outcome, probability, confidence, citations, reasoning, latencyMs } = vote;
  return {
    oracle,
    model,
    outcome,
    probability,
    confidence,
    citations: citations.map((citation) => ({ ...citation })),
    reasoning,
    latencyMs,
    ...publicErrorOf(vote),
  };
}

/** The proposal, which a view shows until the market is resolved. */
function proposalOf(state: ResolutionState | null): { proposal?: ProposalView } {
  if (state === null || state.status === 'done' || state.proposal === null) return {};
  return { proposal: proposalView(state.proposal) };
}

export function proposalView({ outcome, confidence, proposedAt, payAt }: Proposal): ProposalView {
  return {
    outcome,
    oracleConsensus: confidence,
    proposedAt: isoTime(proposedAt),
    payAt: payAt === null ? null : isoTime(payAt),
  };
}
