/**
 * Reads a model's answer, which has to be one JSON object. JSON inside prose is not read, because it might be a
 * quoted attack.
 */
import { citationsOf } from '../../../src/domain/oracle/citations';
import {
  verdictProblem,
  VOTE_LIMITS,
  type Citation,
  type OracleOutcome,
} from '../../../src/domain/oracle/vote';
import { VoterError } from './errors';

export interface Verdict {
  outcome: OracleOutcome;
  probability: number;
  confidence: number;
  reasoning: string;
  citations: Citation[];
}

/** The answer of the model is no verdict. */
export class VerdictError extends VoterError {
  override name = 'VerdictError';
}

/**
 * Reads the text of an answer. It has to be one JSON object, after at most one `<think>` block and inside at
 * most one code fence.
 */
export function readVerdict(text: string): Verdict {
  return checkVerdict(parseObject(unwrap(text)));
}

/** Checks a verdict whose JSON is parsed already. */
export function checkVerdict(answer: unknown): Verdict {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) {
    throw new VerdictError('the answer is not a JSON object');
  }
  const { outcome, probability, confidence, reasoning, citations } = answer as Record<string, unknown>;
  const problem = verdictProblem({ outcome, probability, confidence });
  if (problem !== null) throw new VerdictError(problem);
  if (typeof reasoning !== 'string') throw new VerdictError('the reasoning is not a text');
  if (!Array.isArray(citations)) throw new VerdictError('the citations are not a list');
  return {
    outcome: outcome as OracleOutcome,
    probability: probability as number,
    confidence: confidence as number,
    reasoning: reasoning.slice(0, VOTE_LIMITS.reasoning),
    citations: citationsOf(citations),
  };
}

function unwrap(text: string): string {
  const answer = text
    .trim()
    .replace(/^<think>[\s\S]*?<\/think>/, '')
    .trim();
  return /^```(?:json)?[^\S\n]*\n([\s\S]*?)\n?```$/.exec(answer)?.[1] ?? answer;
}

function parseObject(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new VerdictError('the answer is not one JSON object');
  }
}
