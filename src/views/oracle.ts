import type { ReceivedAnswer } from '../domain/oracle/answer';
import type { Consensus } from '../domain/oracle/consensus';
import { mergeCitations } from '../domain/oracle/citations';
import { isValid, type Vote } from '../domain/oracle/vote';
import type { OracleOutcome, OracleQuestion } from '../ports/oracle';

export interface OracleCitationView {
  /** The address of the source. */
  url: string;
  /** The title of the source. */
  title: string | null;
  /** The words of the source. */
  quote: string | null;
  /** When the source was published, as the voter says. */
  publishedAt: string | null;
  /** When the voter read the source, as the voter says. */
  retrievedAt: string | null;
}

export interface OracleVoteView {
  /** The name of the voter. */
  oracle: string;
  /** What is answered; only YES and NO can decide a market. */
  outcome: OracleOutcome;
  /** Probability of YES. */
  probability: number;
  /** Confidence of this voter. */
  confidence: number;
  /** How long the voter took, in milliseconds. */
  latencyMs: number;
  /** Set if the voter has failed; its other figures then mean nothing. */
  error?: string;
}

export interface OracleAnswerView {
  /** The question that was asked. */
  question: string;
  /** What is answered; only YES and NO can decide a market. */
  outcome: OracleOutcome;
  /** Probability of YES. */
  probability: number;
  /** Confidence of the oracle in its answer. */
  confidence: number;
  /** Share of the votes that agree with the outcome. */
  agreement: number;
  citations: OracleCitationView[];
  /** Why, in the words of the oracle. */
  reasoning: string;
  votes: OracleVoteView[];
  /** When the oracle was asked, ISO 8601. */
  asOf: string;
}

/** The answer is built field by field, so that further fields of an oracle's answer are not published. */
export function oracleAnswerView(
  asked: OracleQuestion,
  { own, votes }: ReceivedAnswer,
  opinion: Consensus,
): OracleAnswerView {
  const valid = votes.filter(isValid);
  const citations = mergeCitations(own.citations, ...valid.map((vote) => vote.citations));
  const reasoning =
    own.reasoning || (valid.find(({ outcome }) => outcome === opinion.outcome)?.reasoning ?? '');
  return {
    question: asked.question,
    ...opinion,
    citations: citations.map(({ url, title, quote, publishedAt, retrievedAt }) => ({
      url,
      title,
      quote,
      publishedAt,
      retrievedAt,
    })),
    reasoning,
    votes: votes.map((vote) => ({
      oracle: vote.oracle,
      outcome: vote.outcome,
      probability: vote.probability,
      confidence: vote.confidence,
      latencyMs: vote.latencyMs,
      ...publicErrorOf(vote),
    })),
    asOf: asked.asOf,
  };
}

/** Says that the voter has failed, without the text of the error, which may contain an address or a key. */
export function publicErrorOf({ error }: Pick<Vote, 'error'>): { error?: string } {
  return error === undefined ? {} : { error: 'the voter failed' };
}
