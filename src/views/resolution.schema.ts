import Joi from 'joi';
import type { Consensus } from '../domain/oracle/consensus';
import { OPEN_RESOLUTION_STATUSES } from '../domain/oracle/resolution-state';
import { RESOLUTION_METHODS, SIDES } from '../domain/types';
import {
  count,
  id,
  instant,
  marketId,
  marketStatus,
  nullableInstant,
  nullableText,
  oneOf,
  outcome,
  page,
  probability,
  question,
  text,
} from './fields.schema';
import { citation, latencyMs, oracleOutcome } from './oracle.schema';
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
  outcome: oneOf(SIDES).description('What is proposed'),
  oracleConsensus: probability('Confidence of the voters together'),
  proposedAt: instant('When the voters agreed'),
  payAt: nullableInstant('When the proposal is carried out; null: only an operator decides'),
});

const consensus = Joi.object<Consensus, true>({
  outcome: oracleOutcome(),
  probability: probability('Probability of YES'),
  confidence: probability('Confidence of the largest group, times its share of the votes'),
  agreement: probability('Share of the votes in the largest group'),
});

const voteFields = {
  oracle: text().description('The name of the voter'),
  model: nullableText().description('The name of the model, if the voter is one'),
  outcome: oracleOutcome(),
  probability: probability('Probability of YES'),
  confidence: probability('Confidence of this voter'),
  citations: Joi.array().items(citation).required(),
  reasoning: Joi.string().allow('').required().description('Why, in the words of the voter'),
  latencyMs: latencyMs(),
  error: Joi.string().description(
    'Set if the voter has failed, and its vote does not count; only operators see the reason',
  ),
};

export const publicVote = Joi.object<PublicVoteView, true>(voteFields);

export const resolutionStatus = (): Joi.StringSchema =>
  oneOf(OPEN_RESOLUTION_STATUSES).description(
    'waiting: further rounds follow; stalled: eight rounds had no quorum or were TOO_EARLY, and further rounds follow; proposed: an outcome is proposed and not paid out yet; escalated: only an operator can decide',
  );
export const lastOutcome = (): Joi.StringSchema =>
  oracleOutcome()
    .allow(null)
    .description('The common answer of the newest round that has ended; null before the first');

const vote = Joi.object<VoteView, true>({
  ...voteFields,
  costUsd: Joi.number().min(0).description('What the vote has cost, USD, if the voter states it'),
});

export const round = Joi.object<RoundView, true>({
  round: id('The number of the round, from 1'),
  startedAt: instant('When the voters were asked'),
  votes: Joi.array().items(vote).required(),
  consensus: consensus.allow(null).required().description('null while the voters are being asked'),
});

export const resolutionSummary = Joi.object<ResolutionSummaryView, true>({
  marketId: marketId(),
  status: resolutionStatus(),
  question: question(),
  round: count('The newest round that has ended; 0 before the first'),
  lastOutcome: lastOutcome(),
  nextAttemptAt: nullableInstant(
    'When the next round begins, or the proposal is carried out; null: an operator has to decide',
  ),
});

export const resolutionList = Joi.object<ResolutionListView, true>({
  resolutions: Joi.array().items(resolutionSummary).required(),
  ...page,
});

export const resolutionEvidence = Joi.object<ResolutionEvidenceView, true>({
  marketId: marketId(),
  status: oneOf(EVIDENCE_STATUSES).description('The state of the resolution; open: the market is traded'),
  rounds: Joi.array().items(round).required(),
  proposal,
});

export const marketResolution = Joi.object<MarketResolutionView, true>({
  marketId: marketId(),
  status: marketStatus(),
  outcome: outcome()
    .allow(null)
    .description('What the market is resolved to, null until then; VOID pays 0.50 USD for each share'),
  method: oneOf(RESOLUTION_METHODS)
    .allow(null)
    .description('Who decided: the oracle, or an operator; null until the market is resolved'),
  resolvedAt: nullableInstant('When the outcome was decided; null until then'),
  oracleConsensus: probability('Confidence of the oracle; 1 when an operator decided').allow(null),
  note: nullableText().description('What the operator who decided has written'),
  votes: Joi.array().items(publicVote).required().description('The votes of the newest round that has ended'),
  citations: Joi.array()
    .items(citation)
    .required()
    .description('The sources of these votes, each address once'),
  proposal,
});
