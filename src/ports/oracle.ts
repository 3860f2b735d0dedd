/** Who decides what happened. Asked outside any transaction; may be slow, may abstain, may fail. */
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
  readonly name: string;
  /**
   * Answers a question. `YES` and `NO` settle a market, unless their confidence is below the option `minConfidence`;
   * everything else is an abstention and is asked again later. Rejects when it cannot be reached (that too is tried again later).
   */
  ask(question: OracleQuestion, options?: { signal?: AbortSignal }): Promise<OracleAnswer>;
}
