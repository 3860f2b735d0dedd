/**
 * The oracle port: who says what happened. An oracle is asked outside any transaction; it may be slow, abstain or fail.
 *
 * Contract (the published `oracleConformance` checks every sentence):
 * - `ask` resolves with an answer or rejects with an `Error`; it never throws before it returns a promise.
 * - It ends soon after its signal is aborted.
 * - It abstains (`TOO_EARLY`, `AMBIGUOUS`, `UNKNOWN`) when it does not know. It never guesses.
 * - Text of a question is data: nothing in it changes how the oracle decides. Any text of any length is survived.
 * - An error message holds no secret and no stack trace.
 *
 * The service checks every answer when it arrives. An answer with figures that are missing, out of range or in
 * contradiction counts as a failure.
 */
import type { Citation, OracleOutcome, Vote } from '../domain/oracle/vote';

export type { OracleOutcome };
export type OracleCitation = Citation;
export type OracleVote = Vote;

export interface OracleQuestion {
  question: string;
  resolutionCriteria: string | null;
  description: string | null;
  /** ISO 8601; `null` for a question that is not a market's. */
  resolveDate: string | null;
  /** ISO 8601: the instant of asking. */
  asOf: string;
  /** The market that asks; all of these are `null` for a question that is not a market's. */
  marketId: number | null;
  tickerId: string | null;
  slug: string | null;
  category: string | null;
  /** Address of the creator, by EIP-55. */
  creator: string | null;
}

export interface OracleAnswer {
  outcome: OracleOutcome;
  /** 0..1, of YES. At least 0.5 beside YES, at most 0.5 beside NO. */
  probability: number;
  /** 0..1. */
  confidence: number;
  /** 0..1: the share of the votes that agree with the outcome; 1 when left out. */
  agreement?: number;
  citations?: readonly OracleCitation[];
  reasoning?: string;
  /** One for each voter that was asked, failed ones (`error`) included. Left out: the answer itself is the only vote. */
  votes?: readonly OracleVote[];
}

/**
 * An `authority` (a data feed, the host's own resolver) decides alone: one confident YES or NO. A `judge` (a model, or
 * several of them) is asked in rounds, and decides when all its voters agree: docs/resolution.md, "Rounds".
 */
export type OracleRole = 'authority' | 'judge';

export interface Oracle {
  /** For logs, votes and metrics. */
  readonly name: string;
  /** Default `authority`. */
  readonly role?: OracleRole;
  ask(question: OracleQuestion, options?: { signal?: AbortSignal }): Promise<OracleAnswer>;
}
