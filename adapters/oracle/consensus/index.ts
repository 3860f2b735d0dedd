/** An oracle that asks several others at once, waits for all, and answers with their votes. */
import { checkOptions, mustBe, optional, printableText, type Checks } from '../../../src/domain/options';
import { mergeCitations } from '../../../src/domain/oracle/citations';
import { consensusOf } from '../../../src/domain/oracle/consensus';
import { failedVote, isValid, verdictProblem, VOTE_LIMITS, type Vote } from '../../../src/domain/oracle/vote';
import type { Oracle, OracleAnswer, OracleQuestion } from '../../../src/ports/oracle';

export interface ConsensusOracleOptions {
  /**
   * 1 to 15 voters with different names. They should be independent: two instances of one model make the same
   * mistakes.
   */
  oracles: readonly Oracle[];
  /** Default `consensus`. */
  name?: string;
}

const CHECKS: Checks<ConsensusOracleOptions> = {
  oracles: mustBe('a list of 1 to 15 oracles with different names', isListOfOracles),
  name: optional(printableText(100)),
};

function isListOfOracles(value: unknown): boolean {
  if (!Array.isArray(value) || value.length === 0 || value.length > 15) return false;
  const oracles = value as Partial<Oracle>[];
  if (!oracles.every((oracle) => typeof oracle?.ask === 'function' && typeof oracle.name === 'string'))
    return false;
  return new Set(oracles.map((oracle) => oracle.name)).size === oracles.length;
}

export function consensusOracle(options: ConsensusOracleOptions): Oracle {
  checkOptions('consensusOracle', options, CHECKS);
  const { oracles, name = 'consensus' } = options;
  return {
    name,
    role: 'judge',
    async ask(question, { signal } = {}): Promise<OracleAnswer> {
      const votes = await Promise.all(oracles.map((oracle) => voteOf(oracle, question, signal)));
      const valid = votes.filter(isValid);
      const citations = mergeCitations(...valid.map((vote) => vote.citations));
      const reasoning = valid.find((vote) => vote.outcome === consensusOf(votes).outcome)?.reasoning ?? '';
      return { ...consensusOf(votes), citations, reasoning, votes };
    },
  };
}

/** The vote of one voter. A voter that fails or gives a useless answer does not hold up the others. */
async function voteOf(oracle: Oracle, question: OracleQuestion, signal?: AbortSignal): Promise<Vote> {
  const began = performance.now();
  const latencyMs = (): number => Math.round(performance.now() - began);
  try {
    const answer = await oracle.ask(question, signal === undefined ? {} : { signal });
    const problem = verdictProblem(answer);
    if (problem !== null)
      return failedVote({ oracle: oracle.name, model: null, latencyMs: latencyMs() }, problem);
    const [own] = answer.votes?.length === 1 ? answer.votes : [];
    return {
      ...own,
      oracle: oracle.name,
      model: own?.model ?? null,
      outcome: answer.outcome,
      probability: answer.probability,
      confidence: answer.confidence,
      citations: answer.citations ?? [],
      reasoning: (answer.reasoning ?? '').slice(0, VOTE_LIMITS.reasoning),
      latencyMs: latencyMs(),
    };
  } catch (error) {
    const message = error instanceof Error ? error.message : 'the voter failed';
    return failedVote(
      { oracle: oracle.name, model: null, latencyMs: latencyMs() },
      message.slice(0, VOTE_LIMITS.text),
    );
  }
}
