import type { ReceivedAnswer } from '../domain/oracle/answer';
import type { Consensus } from '../domain/oracle/consensus';
import { mergeCitations } from '../domain/oracle/citations';
import { isValid, type Vote } from '../domain/oracle/vote';
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
  /** Set if the voter has failed. Its other figures then mean nothing. Only operators see the reason. */
  error?: string;
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
