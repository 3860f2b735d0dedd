/**
 * The oracle port: decides what happened. The service asks outside of any transaction, so an oracle may be slow. It may also
 * abstain or fail: the service asks again later.
 *
 * `TOO_EARLY`: the event lies ahead. `AMBIGUOUS`: the sources contradict each other or the criteria. `UNKNOWN`: no source
 * tells. All three are abstentions.
 */
export type OracleOutcome = 'YES' | 'NO' | 'TOO_EARLY' | 'AMBIGUOUS' | 'UNKNOWN';

export interface OracleQuestion {
  question: string;
  resolutionCriteria: string | null;
  description: string | null;
  /** ISO 8601; `null` for a question that is not a market's. */
  resolveDate: string | null;
  /** ISO 8601: the instant of asking. */
  asOf: string;
}

export interface OracleCitation {
  url: string;
  title: string | null;
  quote: string | null;
  publishedAt: string | null;
  retrievedAt: string | null;
}

export interface OracleVote {
  oracle: string;
  outcome: OracleOutcome;
  /** 0..1, of YES. */
  probability: number;
  /** 0..1. */
  confidence: number;
  latencyMs: number;
}

export interface OracleAnswer {
  outcome: OracleOutcome;
  /** 0..1, of YES. */
  probability: number;
  /** 0..1. */
  confidence: number;
  /** 0..1: the share of the votes that agree with the outcome. */
  agreement: number;
  citations: OracleCitation[];
  reasoning: string;
  votes: OracleVote[];
}

export interface Oracle {
  /** For logs and error messages. */
  readonly name: string;
  /**
   * Answers a question. `YES` and `NO` resolve a market, unless their confidence is below the option `minConfidence`. Every
   * other answer is an abstention: the service asks again later. Rejects when the oracle cannot be reached; the service asks
   * again later then, too. An aborted `signal` ends the call.
   */
  ask(question: OracleQuestion, options?: { signal?: AbortSignal }): Promise<OracleAnswer>;
}
