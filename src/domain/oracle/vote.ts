/** The votes of an oracle's voters, and the check of their figures (docs/resolution.md "Votes"). */

export const ORACLE_OUTCOMES = ['YES', 'NO', 'TOO_EARLY', 'AMBIGUOUS', 'UNKNOWN'] as const;
/** `YES` and `NO` are answers. The other outcomes are abstentions. */
export type OracleOutcome = (typeof ORACLE_OUTCOMES)[number];
export type DecisiveOutcome = 'YES' | 'NO';

/** A source that a voter names, as it was checked and is stored. What the voter left out is `null`. */
export interface Citation {
  /** An http(s) address without user and password. */
  url: string;
  /** The title of the page. */
  title: string | null;
  /** What the page says about the question. */
  quote: string | null;
  /** When the page was published, in ISO 8601. */
  publishedAt: string | null;
  /** When the voter read the page, in ISO 8601. */
  retrievedAt: string | null;
}

/** The answer of one voter in one round, as it was checked and is stored. */
export interface Vote {
  /** The name of the voter. */
  oracle: string;
  /** The name of the model. `null` if the voter is not a model. */
  model: string | null;
  /** The answer of the voter. Only YES and NO can decide a market. */
  outcome: OracleOutcome;
  /** The probability of YES, from 0 to 1. */
  probability: number;
  /** How sure the voter is, from 0 to 1. */
  confidence: number;
  citations: readonly Citation[];
  /** Why, in the words of the voter. */
  reasoning: string;
  /** How long the voter took, in milliseconds. */
  latencyMs: number;
  /** What the vote has cost, in USD, if the voter states it. */
  costUsd?: number;
  /** How many tokens the model has used, if the voter states it. */
  tokens?: number;
  /** SHA-256 of the prompt that the voter got. */
  promptHash?: string;
  /** Why the voter failed. A vote with an error does not count. */
  error?: string;
}

/**
 * The limits of an answer. Longer texts are cut, more citations are left out, and a citation with a longer address
 * (`url`) is left out. An answer with more votes is refused.
 */
export const VOTE_LIMITS = {
  reasoning: 4_000,
  citations: 20,
  text: 500,
  url: 2_000,
  name: 200,
  votes: 50,
} as const;

export function isDecisive(outcome: OracleOutcome): outcome is DecisiveOutcome {
  return outcome === 'YES' || outcome === 'NO';
}

/** Whether the vote counts: the voter has not failed. */
export function isValid(vote: Pick<Vote, 'error'>): boolean {
  return vote.error === undefined;
}

export function failedVote(voter: Pick<Vote, 'oracle' | 'model' | 'latencyMs'>, error: string): Vote {
  const { oracle, model, latencyMs } = voter;
  const nothing = {
    outcome: 'UNKNOWN',
    probability: 0.5,
    confidence: 0,
    citations: [],
    reasoning: '',
  } as const;
  return { oracle, model, latencyMs, ...nothing, error };
}

/** What is wrong with the figures of an answer; `null` when they can be used. */
export function verdictProblem(verdict: {
  outcome: unknown;
  probability: unknown;
  confidence: unknown;
}): string | null {
  const { outcome, probability, confidence } = verdict;
  if (!ORACLE_OUTCOMES.some((known) => known === outcome)) return `the outcome ${shown(outcome)} is unknown`;
  if (!isShare(probability)) return `the probability ${shown(probability)} is not a number from 0 to 1`;
  if (!isShare(confidence)) return `the confidence ${shown(confidence)} is not a number from 0 to 1`;
  if (outcome === 'YES' && probability < 0.5) return `YES contradicts the probability ${probability}`;
  if (outcome === 'NO' && probability > 0.5) return `NO contradicts the probability ${probability}`;
  return null;
}

function isShare(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1;
}

function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40));
  return typeof value === 'number' ? String(value) : `of type ${value === null ? 'null' : typeof value}`;
}
