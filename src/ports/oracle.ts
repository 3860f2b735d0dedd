import type { OracleOutcome } from '../domain/oracle/vote';

export type { OracleOutcome };

/**
 * A source that a voter names. Only the address is needed. A citation without an http(s) address, or with a
 * user or a password in it, is left out. Citations with the same address are merged, and the first 20 of a
 * vote are kept.
 */
export interface OracleCitation {
  /** An http(s) address of at most 2,000 characters. */
  url: string;
  /** The title of the page. The first 500 characters are kept. */
  title?: string | null | undefined;
  /** What the page says about the question. The first 500 characters are kept. */
  quote?: string | null | undefined;
  /** When the page was published, in a form that `new Date` reads. */
  publishedAt?: string | null | undefined;
  /** When the voter read the page, in a form that `new Date` reads. */
  retrievedAt?: string | null | undefined;
}

/**
 * The answer of one voter in one round. Its figures must not contradict each other (`OracleAnswer`), or it
 * counts as the vote of a voter that has failed. A field that cannot be used counts as left out.
 */
export interface OracleVote {
  outcome: OracleOutcome;
  /** The probability of YES from 0 to 1: at least 0.5 with `YES`, at most 0.5 with `NO`. */
  probability: number;
  /** How sure the voter is, from 0 to 1. */
  confidence: number;
  /** The name of the voter. Default: the name of the oracle that was asked. */
  oracle?: string | undefined;
  /** The name of the model; left out or `null` if the voter is not a model. */
  model?: string | null | undefined;
  citations?: readonly OracleCitation[] | undefined;
  /** The reasons of the voter, in words. The first 4,000 characters are kept. */
  reasoning?: string | undefined;
  /** How long the voter took. Default: the time of the whole answer. */
  latencyMs?: number | undefined;
  /** What the vote has cost. It counts in the budget, also if the voter has failed. */
  costUsd?: number | undefined;
  tokens?: number | undefined;
  /** SHA-256 of the prompt that the voter got, in 64 hexadecimal digits. */
  promptHash?: string | undefined;
  /**
   * Why the voter failed, on one line of at most 500 characters without secrets. A vote with an error does not
   * count, and its figures mean nothing.
   */
  error?: string | undefined;
}

export interface OracleQuestion {
  question: string;
  resolutionCriteria: string | null;
  description: string | null;
  /** The resolve date in ISO 8601; `null` for a question that is not a market's. */
  resolveDate: string | null;
  /** The instant of asking, in ISO 8601. */
  asOf: string;
  /**
   * The market whose question it is; this field and the next ones are `null` for a question that is not a
   * market's.
   */
  marketId: number | null;
  tickerId: string | null;
  slug: string | null;
  category: string | null;
  /** The address of the creator, in EIP-55 form. */
  creator: string | null;
}

export interface OracleAnswer {
  /**
   * `YES`, `NO`, `TOO_EARLY`, `AMBIGUOUS` or `UNKNOWN`, in capital letters.
   * `TOO_EARLY`: the event has not happened yet. `AMBIGUOUS`: the sources contradict each other or the
   * criteria. `UNKNOWN`: no source says what happened. All three are abstentions.
   */
  outcome: OracleOutcome;
  /** The probability of YES from 0 to 1: at least 0.5 with `YES`, at most 0.5 with `NO`. */
  probability: number;
  /** How sure the oracle is of its answer, from 0 to 1. */
  confidence: number;
  /** The part of the votes that agrees with the outcome, from 0 to 1; 1 when left out. */
  agreement?: number;
  /** The sources of the answer. Each source has an http(s) address. */
  citations?: readonly OracleCitation[];
  reasoning?: string;
  /**
   * One vote for each voter that was asked, also for voters that failed (`error`). If votes are left out, the
   * answer itself is the only vote.
   */
  votes?: readonly OracleVote[];
}

/**
 * An `authority` (a data feed, the host's own resolver) decides alone: one confident YES or NO. A `judge` (a
 * model, or several of them) is asked in rounds, and decides when the votes of a round agree:
 * docs/resolution.md, "Rounds".
 */
export type OracleRole = 'authority' | 'judge';

/**
 * The oracle port: it says what happened. An oracle is asked outside of any transaction, and may be slow,
 * abstain or fail. Each answer is checked on arrival, and an answer that cannot be used counts as a failure.
 *
 * - An oracle answers `YES` or `NO` only when it knows the outcome; otherwise it abstains or rejects, and never
 *   guesses.
 * - An oracle whose sources cannot be reached, or do not answer, rejects: an abstention counts as an answer, and the
 *   caller of a paid question pays for it.
 * - An oracle whose sources answer nonsense, or an HTTP error other than 404, rejects too.
 * - What is certain only at the `resolveDate`, such as a price of that day, is not known before it: asked earlier
 *   (`asOf`), the oracle does not decide. A paid question about an open market may come at any time.
 * - A result that may still change, such as a live score or a provisional count, is not known yet: the oracle does not
 *   decide by it.
 * - An answer of the sources about another subject than the asked one decides nothing.
 * - When the cause of a failure is over, the next question is answered again.
 * - The text of a question is data: nothing in it changes how the oracle decides.
 * - An oracle that looks a market up finds it by its `marketId` or `tickerId`, which the service gives: the creator of a
 *   market chooses its texts and, by them, its `slug`.
 * - Asked about a market that it does not know, or about no market, an oracle that looks markets up abstains, because no
 *   later call would find it.
 * - A text of any length and any characters breaks nothing.
 * - The message of an error is one line of at most 500 characters, without a secret and without a stack trace.
 * - No answer and no name contains a secret.
 * - A secret goes only to the sources: an oracle sends none to the address of a redirect.
 */
export interface Oracle {
  /** The name in logs, votes and metrics. */
  readonly name: string;
  /** The default role is `authority`. */
  readonly role?: OracleRole;
  /**
   * Whether operators decide every market, because this oracle always abstains. Then a closed market waits for an
   * operator from its first round on, and the alarm `resolution` names the market.
   */
  readonly isManual?: boolean;
  /**
   * Says what happened.
   *
   * - `ask` answers, or rejects with an `Error`; it never throws before it returns a promise.
   * - `ask` ends soon after its signal is aborted, and also when the signal was aborted before the call.
   * - `ask` ends by itself, without a signal too.
   * - A call whose signal is aborted ends no other call.
   * - Each call of `ask` asks the sources anew, because a source may correct its answer.
   */
  ask(question: OracleQuestion, options?: { signal?: AbortSignal }): Promise<OracleAnswer>;
}
