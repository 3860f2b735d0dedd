/** Makes an oracle of a model: sends the prompt, reads the verdict, and answers with one vote. */
import { randomBytes } from 'node:crypto';
import { mergeCitations } from '../../../src/domain/oracle/citations';
import { failedVote, isDecisive, type Citation, type Vote } from '../../../src/domain/oracle/vote';
import type { Oracle, OracleAnswer, OracleQuestion } from '../../../src/ports/oracle';
import { createCircuitBreaker, type CircuitBreaker } from './circuit-breaker';
import { PaidFailureError, StoppedError, TransportError, VoterError } from './errors';
import { judgePrompt, type JudgePrompt, type SearchResult } from './prompt';
import { timeLimit, unlessStopped } from './stop-signal';
import type { Verdict } from './verdict';

export interface ModelReply {
  verdict: Verdict;
  /** The sources that the server names outside the text of the answer. */
  annotated: readonly Citation[];
  tokens?: number;
  costUsd?: number;
}

/** A host's function that finds recent pages for a question. Its results are sent to the model as data. */
export type SearchFunction = (
  question: OracleQuestion,
  options: { signal: AbortSignal },
) => Promise<readonly SearchResult[]>;

export interface JudgeOptions {
  name: string;
  model: string;
  /** The time limit of one question in milliseconds. Default 60,000. */
  timeoutMs?: number | undefined;
  search?: SearchFunction | undefined;
  /** Asks the model. Throws a `VoterError` whose message may be shown. All other errors are replaced. */
  call(prompt: JudgePrompt, options: { signal: AbortSignal }): Promise<ModelReply>;
}

export const VOTER_TIMEOUT_MS = 60_000;

export function judgeOracle(options: JudgeOptions): Oracle {
  const { name, model, call, search, timeoutMs = VOTER_TIMEOUT_MS } = options;
  const breaker = createCircuitBreaker();
  return {
    name,
    role: 'judge',
    async ask(question, { signal } = {}) {
      const began = performance.now();
      const latencyMs = (): number => Math.round(performance.now() - began);
      const limit = timeLimit(timeoutMs, signal);
      const found = search === undefined ? undefined : await searched(search, question, limit);
      const prompt = judgePrompt(question, randomBytes(16).toString('hex'), found);
      const asking = () => unlessStopped(limit, () => call(prompt, { signal: limit }));
      const reply = await guarded(breaker, asking).catch(paidFailure);
      if (reply instanceof PaidFailureError) {
        const vote = failedVote({ oracle: name, model, latencyMs: latencyMs() }, reply.message);
        return answerOf({ ...vote, ...reply.spending, promptHash: prompt.hash });
      }
      const verdict = found === undefined ? reply.verdict : supported(reply.verdict, found, question.asOf);
      const citations = mergeCitations(verdict.citations, reply.annotated);
      return answerOf({
        oracle: name,
        model,
        ...verdict,
        citations,
        latencyMs: latencyMs(),
        ...costOf(reply),
        promptHash: prompt.hash,
      });
    },
  };
}

/**
 * Calls the model unless its circuit is open. The message of an error that is no `VoterError` may contain a
 * key, so such an error is replaced.
 */
async function guarded<T>(breaker: CircuitBreaker, call: () => Promise<T>): Promise<T> {
  breaker.enter(performance.now());
  try {
    const reply = await call();
    breaker.succeeded();
    return reply;
  } catch (error) {
    if (error instanceof TransportError || error instanceof StoppedError) breaker.failed(performance.now());
    else breaker.succeeded();
    throw error instanceof VoterError ? error : new VoterError('the voter failed');
  }
}

/**
 * Returns the failure of a paid call as a value, so that `ask` can answer with a failed vote that states the
 * cost. Every other error is thrown again.
 */
function paidFailure(error: unknown): PaidFailureError {
  if (error instanceof PaidFailureError) return error;
  throw error;
}

const MOST_RESULTS = 20;

async function searched(
  search: SearchFunction,
  question: OracleQuestion,
  signal: AbortSignal,
): Promise<readonly SearchResult[]> {
  try {
    const found = await unlessStopped(signal, () => search(question, { signal }));
    return found.slice(0, MOST_RESULTS);
  } catch {
    throw new VoterError('the search for sources failed');
  }
}

function answerOf(vote: Vote): OracleAnswer {
  const { outcome, probability, confidence, citations, reasoning } = vote;
  return { outcome, probability, confidence, agreement: 1, citations, reasoning, votes: [vote] };
}

function costOf({ tokens, costUsd }: ModelReply): Pick<Vote, 'tokens' | 'costUsd'> {
  return { ...(tokens !== undefined && { tokens }), ...(costUsd !== undefined && { costUsd }) };
}

/**
 * The verdict if its sources support it. With a search, a YES or NO has to cite a result of the search that
 * is not dated after `asOf`. Otherwise the verdict counts as an abstention.
 */
function supported(verdict: Verdict, found: readonly SearchResult[], asOf: string): Verdict {
  if (!isDecisive(verdict.outcome)) return verdict;
  const usable = new Set(
    found
      .filter(({ publishedAt }) => publishedAt === null || Date.parse(publishedAt) <= Date.parse(asOf))
      .map(({ url }) => normalized(url)),
  );
  if (verdict.citations.some(({ url }) => usable.has(normalized(url)))) return verdict;
  const reasoning = `No search result supports the answer ${verdict.outcome}. ${verdict.reasoning}`;
  return { ...verdict, outcome: 'UNKNOWN', confidence: 0, reasoning };
}

function normalized(url: string): string {
  return URL.canParse(url) ? new URL(url).href : url;
}
