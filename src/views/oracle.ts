import { summaryOf, type ReceivedAnswer } from '../domain/oracle/answer';
import type { OracleOutcome, OracleQuestion } from '../ports/oracle';

export interface OracleCitationView {
  url: string;
  title: string | null;
  quote: string | null;
  publishedAt: string | null;
  retrievedAt: string | null;
}

export interface OracleVoteView {
  oracle: string;
  outcome: OracleOutcome;
  probability: number;
  confidence: number;
  latencyMs: number;
}

export interface OracleAnswerView {
  question: string;
  outcome: OracleOutcome;
  probability: number;
  confidence: number;
  agreement: number;
  citations: OracleCitationView[];
  reasoning: string;
  votes: OracleVoteView[];
  asOf: string;
}

/** Field by field: further fields of an oracle's answer are not published. */
export function oracleAnswerView(asked: OracleQuestion, answer: ReceivedAnswer): OracleAnswerView {
  const { citations, reasoning } = answer.own;
  return {
    question: asked.question,
    ...summaryOf(answer),
    citations: citations.map(({ url, title, quote, publishedAt, retrievedAt }) => ({
      url,
      title,
      quote,
      publishedAt,
      retrievedAt,
    })),
    reasoning,
    votes: answer.votes.map((vote) => ({
      oracle: vote.oracle,
      outcome: vote.outcome,
      probability: vote.probability,
      confidence: vote.confidence,
      latencyMs: vote.latencyMs,
    })),
    asOf: asked.asOf,
  };
}
