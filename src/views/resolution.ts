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
  /** What is proposed. */
  outcome: DecisiveOutcome;
  /** Confidence of the voters together. */
  oracleConsensus: number;
  /** When the voters agreed, ISO 8601. */
  proposedAt: string;
  /** When the proposal is carried out, ISO 8601; null: only an operator decides. */
  payAt: string | null;
}

export interface ResolutionSummaryView {
  /** The number of the market. */
  marketId: number;
  /**
   * waiting: further rounds follow; stalled: eight rounds had no quorum or were TOO_EARLY, and further rounds
   * follow; proposed: an outcome is proposed and not paid out yet; escalated: only an operator can decide.
   */
  status: OpenResolutionStatus;
  /** The question of the market. */
  question: string;
  /** The newest round that has ended; 0 before the first. */
  round: number;
  /** The common answer of the newest round that has ended; null before the first. */
  lastOutcome: OracleOutcome | null;
  /** When the next round begins, or the proposal is carried out, ISO 8601; null: an operator has to decide. */
  nextAttemptAt: string | null;
}

export interface ResolutionListView {
  resolutions: ResolutionSummaryView[];
  /** How many rows there are on all pages together. */
  total: number;
  /** How many rows a page has at most. */
  limit: number;
  /** How many rows before this page were skipped. */
  offset: number;
}

export interface PublicVoteView {
  /** The name of the voter. */
  oracle: string;
  /** The name of the model, if the voter is one. */
  model: string | null;
  /** What is answered; only YES and NO can decide a market. */
  outcome: OracleOutcome;
  /** Probability of YES. */
  probability: number;
  /** Confidence of this voter. */
  confidence: number;
  citations: OracleCitationView[];
  /** Why, in the words of the voter. */
  reasoning: string;
  /** How long the voter took, in milliseconds. */
  latencyMs: number;
  /** Set if the voter has failed, and its vote does not count; only operators see the reason. */
  error?: string;
}

export interface VoteView extends PublicVoteView {
  /** What the vote has cost, USD, if the voter states it. */
  costUsd?: number;
}

export interface RoundView {
  /** The number of the round, from 1. */
  round: number;
  /** When the voters were asked, ISO 8601. */
  startedAt: string;
  votes: VoteView[];
  /** null while the voters are being asked. */
  consensus: Consensus | null;
}

/** `open` while the market trades, then the states of the market's resolution, then `resolved`. */
export const EVIDENCE_STATUSES = ['open', ...OPEN_RESOLUTION_STATUSES, 'resolved'] as const;

/** The resolution of one market, as operators see it. */
export interface ResolutionEvidenceView {
  /** The number of the market. */
  marketId: number;
  /** The state of the resolution; open: the market is traded. */
  status: (typeof EVIDENCE_STATUSES)[number];
  rounds: RoundView[];
  proposal?: ProposalView;
}

/** The resolution of one market, as the public sees it. */
export interface MarketResolutionView {
  /** The number of the market. */
  marketId: number;
  /**
   * open: it is traded; resolving: trading has ended, and there is no outcome yet; resolved: it has an
   * outcome.
   */
  status: MarketStatus;
  /** What the market is resolved to, null until then; VOID pays 0.50 USD for each share. */
  outcome: Outcome | null;
  /** Who decided: the oracle, or an operator; null until the market is resolved. */
  method: Resolution['method'] | null;
  /** When the outcome was decided, ISO 8601; null until then. */
  resolvedAt: string | null;
  /** Confidence of the oracle; 1 when an operator decided. */
  oracleConsensus: number | null;
  /** What the operator who decided has written. */
  note: string | null;
  /** The votes of the newest round that has ended. */
  votes: PublicVoteView[];
  /** The sources of these votes, each address once. */
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
 * The view for operators. `state` is `null` until the market is closed. It stays `null` if an operator resolves an open
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
