/**
 * Decides whether a round of judges resolves a market (docs/resolution.md "Rounds"). The code is pure.
 *
 * The round rule is strict on purpose. Models are overconfident and share mistakes, so one dissenting or
 * abstaining voter is enough to ask again. If voters keep disagreeing, an operator decides the market: asking
 * until they happen to agree would mean choosing the answer.
 */
import { withJitter } from '../back-off';
import { hasAnswer, isMostlyTooEarly, shownConsensus, type Consensus } from './consensus';
import { isDecisive, isValid, type DecisiveOutcome, type Vote } from './vote';

export interface RoundRules {
  /** The fewest valid votes that can decide a round. */
  minVoters: number;
  /** The smallest confidence that each vote needs. */
  minConfidence: number;
  /**
   * The smallest probability of YES that each vote for YES needs. In a vote for NO, the probability of YES may be at
   * most 1 minus this value.
   */
  minProbability: number;
  /**
   * In the first `fullRounds` rounds, every voter has to vote. In later rounds two thirds of the voters are
   * enough, but never fewer than `minVoters`. If there are fewer voters than `minVoters`, all have to vote.
   */
  fullRounds: number;
  /** After this many rounds that count as `RoundHistory.disagreements`, an operator decides. */
  maxDisagreements: number;
}

export const DEFAULT_ROUND_RULES: RoundRules = {
  minVoters: 2,
  minConfidence: 0.8,
  minProbability: 0.9,
  fullRounds: 3,
  maxDisagreements: 8,
};

/**
 * The results of earlier rounds, as `ResolutionState` keeps them. They are reset when an operator orders that
 * the voters are asked again.
 */
export interface RoundHistory {
  /** The number of rounds that have ended. */
  rounds: number;
  /**
   * The number of rounds that were `split` or `unconfident`, or whose unanimous outcome contradicted the
   * round before.
   */
  disagreements: number;
  /** The number of rounds that were `no-quorum` or `too-early`. */
  fruitless: number;
  /** Whether an earlier round was `split`. This is kept when the other results are reset. */
  hasSplit: boolean;
  /** The outcome of the last round if it was unanimous. */
  unanimous: DecisiveOutcome | null;
}

export const NO_ROUNDS: RoundHistory = {
  rounds: 0,
  disagreements: 0,
  fruitless: 0,
  hasSplit: false,
  unanimous: null,
};

/**
 * What the votes of a round show:
 * - `unanimous`: all votes are YES, or all are NO, and each of them is confident.
 * - `unconfident`: the votes agree without enough confidence, or all of them abstain and the round is not
 *   `too-early`.
 * - `split`: the outcomes differ, and at least one of them is YES or NO.
 * - `too-early`: all votes abstain, most of them with TOO_EARLY.
 * - `no-quorum`: too few voters have voted.
 *
 * For an authority, `no-quorum` stands for every answer that does not decide, except TOO_EARLY.
 */
export type RoundFinding = 'unanimous' | 'unconfident' | 'split' | 'too-early' | 'no-quorum';

export type RoundDecision =
  /** The votes decide, and the market may be resolved. */
  | { kind: 'decided'; outcome: DecisiveOutcome }
  /** The voters are asked again later. */
  | { kind: 'again' }
  /** Only an operator can decide. `proposal` is the outcome on which the voters agreed, or `null`. */
  | { kind: 'escalated'; proposal: DecisiveOutcome | null };

export interface RoundResult {
  finding: RoundFinding;
  consensus: Consensus;
  history: RoundHistory;
  decision: RoundDecision;
}

/** Evaluates one round. `votes` has one vote for each configured voter, also for failed voters. */
export function decideRound(votes: readonly Vote[], before: RoundHistory, rules: RoundRules): RoundResult {
  const finding = findingOf(votes, before.rounds + 1, rules);
  const outcome = finding === 'unanimous' ? unanimousOutcome(votes) : null;
  const history = historyAfter(before, finding, outcome);
  return {
    finding,
    consensus: shownConsensus(votes),
    history,
    decision: decisionOf(votes, before, history, rules),
  };
}

/** The fewest valid votes that this round needs. `round` counts from 1. */
export function quorumOf(voters: number, round: number, rules: RoundRules): number {
  // If there are fewer voters than `minVoters`, they cannot decide. All of them have to vote, and their
  // unanimous outcome becomes a proposal.
  if (voters < rules.minVoters) return voters;
  const wanted = round <= rules.fullRounds ? voters : Math.ceil((voters * 2) / 3);
  return Math.max(wanted, rules.minVoters);
}

function findingOf(votes: readonly Vote[], round: number, rules: RoundRules): RoundFinding {
  const valid = votes.filter(isValid);
  if (valid.length === 0 || valid.length < quorumOf(votes.length, round, rules)) return 'no-quorum';
  if (!hasAnswer(valid)) return isMostlyTooEarly(valid) ? 'too-early' : 'unconfident';
  if (new Set(valid.map(({ outcome }) => outcome)).size > 1) return 'split';
  return valid.every((vote) => isConfident(vote, rules)) ? 'unanimous' : 'unconfident';
}

function isConfident({ outcome, probability, confidence }: Vote, rules: RoundRules): boolean {
  const ofOutcome = outcome === 'NO' ? 1 - probability : probability;
  return ofOutcome >= rules.minProbability && confidence >= rules.minConfidence;
}

function unanimousOutcome(votes: readonly Vote[]): DecisiveOutcome | null {
  const outcome = votes.find(isValid)?.outcome;
  return outcome !== undefined && isDecisive(outcome) ? outcome : null;
}

function historyAfter(
  before: RoundHistory,
  finding: RoundFinding,
  unanimous: DecisiveOutcome | null,
): RoundHistory {
  const disagrees = finding === 'split' || finding === 'unconfident' || contradicts(before, unanimous);
  const isFruitless = finding === 'too-early' || finding === 'no-quorum';
  return {
    rounds: before.rounds + 1,
    disagreements: before.disagreements + (disagrees ? 1 : 0),
    fruitless: before.fruitless + (isFruitless ? 1 : 0),
    hasSplit: before.hasSplit || finding === 'split',
    unanimous,
  };
}

/** Whether the voters contradict themselves: a unanimous YES after a unanimous NO, or the reverse. */
function contradicts(before: RoundHistory, unanimous: DecisiveOutcome | null): boolean {
  return unanimous !== null && before.unanimous !== null && before.unanimous !== unanimous;
}

/**
 * The decision after a round. Once a round was `split`, a unanimous outcome decides only if the round before
 * was unanimous with the same outcome.
 */
function decisionOf(
  votes: readonly Vote[],
  before: RoundHistory,
  history: RoundHistory,
  rules: RoundRules,
): RoundDecision {
  const outcome = history.unanimous;
  if (outcome !== null && votes.length < rules.minVoters) return { kind: 'escalated', proposal: outcome };
  if (outcome !== null && (!history.hasSplit || before.unanimous === outcome))
    return { kind: 'decided', outcome };
  if (history.disagreements >= rules.maxDisagreements) return { kind: 'escalated', proposal: outcome };
  return { kind: 'again' };
}

/**
 * The milliseconds until the next round, after `rounds` rounds. The pause is `intervalMs`, doubled `rounds`
 * times, and at most 120 times `intervalMs`. Jitter of up to a tenth spreads the rounds of markets that
 * closed at the same instant. `chance` is a random number from 0 to below 1.
 */
export function nextRoundDelayMs(rounds: number, intervalMs: number, chance: number): number {
  const factor = Math.min(120, 2 ** Math.min(rounds, 10));
  return withJitter(intervalMs * factor, chance);
}

/**
 * Like `decideRound`, for an authority. An authority never escalates: if its answer does not decide, the
 * authority is asked again.
 */
export function decideAuthorityRound(
  vote: Vote,
  before: RoundHistory,
  rules: Pick<RoundRules, 'minConfidence'>,
): RoundResult {
  const decision = decideByAuthority(vote, rules);
  const { outcome, probability, confidence } = vote;
  const finding = authorityFinding(vote, decision);
  return {
    finding,
    consensus: isValid(vote) ? { outcome, probability, confidence, agreement: 1 } : shownConsensus([vote]),
    history: historyAfter(before, finding, decision.kind === 'decided' ? decision.outcome : null),
    decision,
  };
}

function authorityFinding(vote: Vote, decision: RoundDecision): RoundFinding {
  if (decision.kind === 'decided') return 'unanimous';
  return isValid(vote) && vote.outcome === 'TOO_EARLY' ? 'too-early' : 'no-quorum';
}

/** An authority (a data feed, the host's own resolver) decides alone: one confident YES or NO. */
export function decideByAuthority(
  vote: Pick<Vote, 'outcome' | 'confidence' | 'error'>,
  rules: Pick<RoundRules, 'minConfidence'>,
): RoundDecision {
  if (!isValid(vote) || !isDecisive(vote.outcome) || vote.confidence < rules.minConfidence)
    return { kind: 'again' };
  return { kind: 'decided', outcome: vote.outcome };
}
