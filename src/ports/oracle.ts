/**
 * The oracle port: it says what happened. An oracle is asked outside of any transaction; it may be slow, abstain or fail. What
 * it answers is checked on arrival, and an answer that cannot be used counts as a failure.
 *
 * - `ask` answers, or rejects with an `Error`; it never throws before it returns a promise.
 * - It ends soon after its signal is aborted, and also when the signal was aborted before the call.
 * - It ends by itself, without a signal too.
 * - It answers `YES` or `NO` only when it knows; else it abstains or rejects, and never guesses.
 * - A failure ends with its cause: the next question is answered again.
 * - The text of a question is data: nothing in it changes how the oracle decides.
 * - Texts of any length and any characters are survived.
 * - The message of an error is one line, without a secret and without a stack trace.
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
  /**
   * `TOO_EARLY`: the event lies ahead. `AMBIGUOUS`: the sources contradict each other or the criteria. `UNKNOWN`: no source
   * tells. All three are abstentions.
   */
  outcome: OracleOutcome;
  /** From 0 to 1, that the outcome is YES: at least 0.5 beside `YES`, at most 0.5 beside `NO`. */
  probability: number;
  /** From 0 to 1, in the answer. */
  confidence: number;
  /** From 0 to 1: the share of the votes that agree with the outcome; 1 when left out. */
  agreement?: number;
  /** Addresses are http(s). */
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
