/**
 * The combined result of the votes of one round: docs/resolution.md, "Consensus". Failed votes do not count.
 */
import { isDecisive, isValid, ORACLE_OUTCOMES, type OracleOutcome, type Vote } from './vote';

export interface Consensus {
  /**
   * The outcome of the largest group of votes. `UNKNOWN` if there is no valid vote, or if several groups are
   * the largest.
   */
  outcome: OracleOutcome;
  /** The probability of YES: the mean of the votes, weighted by confidence. 0.5 without a valid vote. */
  probability: number;
  /**
   * The mean confidence of the largest group, multiplied by `agreement`. Of several largest groups, the
   * highest mean counts.
   */
  confidence: number;
  /** The number of votes in the largest group, divided by the number of valid votes. */
  agreement: number;
}

export function consensusOf(votes: readonly Vote[]): Consensus {
  const valid = votes.filter(isValid);
  if (valid.length === 0) return { outcome: 'UNKNOWN', probability: 0.5, confidence: 0, agreement: 0 };
  const groups = ORACLE_OUTCOMES.map((outcome) => valid.filter((vote) => vote.outcome === outcome));
  const size = Math.max(...groups.map((group) => group.length));
  const largest = groups.filter((group) => group.length === size);
  const agreement = size / valid.length;
  const confidence = Math.max(...largest.map((group) => meanConfidence(group))) * agreement;
  const [only] = largest.length === 1 ? (largest[0] ?? []) : [];
  return {
    outcome: only?.outcome ?? 'UNKNOWN',
    probability: weightedProbability(valid),
    confidence,
    agreement,
  };
}

function meanConfidence(votes: readonly Vote[]): number {
  return votes.reduce((sum, vote) => sum + vote.confidence, 0) / votes.length;
}

/**
 * The mean probability of YES, weighted by confidence. If the confidence of every vote is 0, all votes have
 * the same weight.
 */
function weightedProbability(votes: readonly Vote[]): number {
  const weight = votes.reduce((sum, vote) => sum + vote.confidence, 0);
  if (weight === 0) return votes.reduce((sum, vote) => sum + vote.probability, 0) / votes.length;
  const mean = votes.reduce((sum, vote) => sum + vote.probability * vote.confidence, 0) / weight;
  return Math.min(1, Math.max(0, mean));
}

/**
 * The consensus as it is stored and shown, with six decimals: sums of decimals leave figures like
 * 0.9499999999999998, which no voter has said. These rounded figures do not decide a round; the votes do.
 */
export function shownConsensus(votes: readonly Vote[]): Consensus {
  const { outcome, probability, confidence, agreement } = consensusOf(votes);
  return {
    outcome,
    probability: sixDecimals(probability),
    confidence: sixDecimals(confidence),
    agreement: sixDecimals(agreement),
  };
}

function sixDecimals(share: number): number {
  return Math.round(share * 1_000_000) / 1_000_000;
}

/**
 * The answer to a paid question. `null` if fewer than two thirds of the voters gave a valid vote. The answer
 * moves no money, so it needs fewer votes than a resolution.
 */
export function opinionOf(votes: readonly Vote[]): Consensus | null {
  const valid = votes.filter(isValid);
  if (valid.length === 0 || valid.length < Math.ceil((votes.length * 2) / 3)) return null;
  return { ...shownConsensus(votes), outcome: opinionOutcome(valid) };
}

function opinionOutcome(valid: readonly Vote[]): OracleOutcome {
  const outcomes = new Set(valid.map(({ outcome }) => outcome));
  const [first] = outcomes;
  if (outcomes.size === 1 && first !== undefined) return first;
  if (isMostlyTooEarly(valid)) return 'TOO_EARLY';
  return outcomes.has('YES') && outcomes.has('NO') ? 'AMBIGUOUS' : 'UNKNOWN';
}

export function isMostlyTooEarly(valid: readonly Vote[]): boolean {
  return valid.filter(({ outcome }) => outcome === 'TOO_EARLY').length > valid.length / 2;
}

export function hasAnswer(valid: readonly Vote[]): boolean {
  return valid.some(({ outcome }) => isDecisive(outcome));
}
