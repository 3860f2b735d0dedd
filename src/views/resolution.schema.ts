import Joi from 'joi';
import type { Consensus } from '../domain/oracle/consensus';
import { OPEN_RESOLUTION_STATUSES } from '../domain/oracle/resolution-state';
import { MARKET_STATUSES, OUTCOMES, RESOLUTION_METHODS, SIDES } from '../domain/types';
import {
  count,
  id,
  instant,
  nullableInstant,
  nullableText,
  oneOf,
  page,
  probability,
  text,
} from './fields.schema';
import { citation, oracleOutcome } from './oracle.schema';
import {
  EVIDENCE_STATUSES,
  type MarketResolutionView,
  type ProposalView,
  type PublicVoteView,
  type ResolutionEvidenceView,
  type ResolutionListView,
  type ResolutionSummaryView,
  type RoundView,
  type VoteView,
} from './resolution';

export const proposal = Joi.object<ProposalView, true>({
  outcome: oneOf(SIDES),
  oracleConsensus: probability('Confidence of the voters together'),
  proposedAt: instant('When the voters agreed'),
  payAt: nullableInstant('When the proposal is carried out; null: only an operator decides'),
});

const consensus = Joi.object<Consensus, true>({
  outcome: oracleOutcome(),
  probability: probability('Of YES'),
  confidence: probability('Of the largest group, times its share of the votes'),
  agreement: probability('Share of the votes in the largest group'),
});

const voteFields = {
  oracle: text(),
  model: nullableText(),
  outcome: oracleOutcome(),
  probability: probability('Of YES'),
  confidence: probability('Of this voter'),
  citations: Joi.array().items(citation).required(),
  reasoning: Joi.string().allow('').required(),
  latencyMs: Joi.number().min(0).required(),
  error: Joi.string().description('The voter failed, and its vote does not count; operators see why'),
};

export const publicVote = Joi.object<PublicVoteView, true>(voteFields);

const vote = Joi.object<VoteView, true>({
  ...voteFields,
  costUsd: Joi.number().min(0).description('USD, if the voter states it'),
});

export const round = Joi.object<RoundView, true>({
  round: id(),
  startedAt: instant('When the voters were asked'),
  votes: Joi.array().items(vote).required(),
  consensus: consensus.allow(null).required().description('null while the voters are being asked'),
});

export const resolutionSummary = Joi.object<ResolutionSummaryView, true>({
  marketId: id(),
  status: oneOf(OPEN_RESOLUTION_STATUSES),
  question: text(),
  round: count().description('The newest round that has ended; 0 before the first'),
  lastOutcome: oracleOutcome().allow(null),
  nextAttemptAt: nullableInstant('When the next round begins, or the proposal is carried out'),
});

export const resolutionList = Joi.object<ResolutionListView, true>({
  resolutions: Joi.array().items(resolutionSummary).required(),
  ...page,
});

export const resolutionEvidence = Joi.object<ResolutionEvidenceView, true>({
  marketId: id(),
  status: oneOf(EVIDENCE_STATUSES),
  rounds: Joi.array().items(round).required(),
  proposal,
});

export const marketResolution = Joi.object<MarketResolutionView, true>({
  marketId: id(),
  status: oneOf(MARKET_STATUSES),
  outcome: oneOf(OUTCOMES).allow(null),
  method: oneOf(RESOLUTION_METHODS).allow(null),
  resolvedAt: nullableInstant('When the outcome was decided'),
  oracleConsensus: probability('Confidence of the oracle; 1 when an operator decided').allow(null),
  note: nullableText(),
  votes: Joi.array().items(publicVote).required().description('The votes of the newest round that has ended'),
  citations: Joi.array()
    .items(citation)
    .required()
    .description('The sources of these votes, each address once'),
  proposal,
});
