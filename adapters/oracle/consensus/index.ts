/** An oracle that asks several other oracles at once and answers with their votes. */
import {
  checkOptions,
  milliseconds,
  mustBe,
  optional,
  printableText,
  type Checks,
} from '../../../src/domain/options';
import { noAnswer, receiveAnswer } from '../../../src/domain/oracle/answer';
import { mergeCitations } from '../../../src/domain/oracle/citations';
import { consensusOf } from '../../../src/domain/oracle/consensus';
import { failedVote, isValid, type Vote } from '../../../src/domain/oracle/vote';
import type { Oracle, OracleAnswer, OracleQuestion } from '../../../src/ports/oracle';
import { VOTER_TIMEOUT_MS } from '../../shared/judge/judge-oracle';
import { timeLimit, unlessStopped } from '../../shared/judge/stop-signal';

export interface ConsensusOracleOptions {
  /**
   * 1 to 15 voters with different names. The voters should be independent: two instances of one model make the
   * same mistakes.
   */
  oracles: readonly Oracle[];
  /** Default `consensus`. */
  name?: string | undefined;
  /**
   * The time limit of one voter in milliseconds. A voter that takes longer has a failed vote. Default 60,000.
   */
  timeoutMs?: number | undefined;
}

const MOST_VOTERS = 15;

const CHECKS: Checks<ConsensusOracleOptions> = {
  oracles: mustBe('a list of 1 to 15 oracles with different names', isListOfOracles),
  name: optional(printableText(100)),
  timeoutMs: optional(milliseconds),
};

function isListOfOracles(value: unknown): boolean {
  if (!Array.isArray(value) || value.length === 0 || value.length > MOST_VOTERS) return false;
  const oracles = value as Partial<Oracle | null>[];
  if (!oracles.every((oracle) => typeof oracle?.ask === 'function' && typeof oracle.name === 'string'))
    return false;
  return new Set(oracles.map((oracle) => oracle?.name)).size === oracles.length;
}

/**
 * A judge of several oracles, which are asked at once in each round. The round rule decides the market by their
 * votes. docs/oracle-adapters.md "oracle/consensus".
 * @throws TypeError naming the option that does not fit. RangeError for a number out of its range.
 */
export function consensusOracle(options: ConsensusOracleOptions): Oracle {
  checkOptions('consensusOracle', options, CHECKS);
  const { oracles, name = 'consensus', timeoutMs = VOTER_TIMEOUT_MS } = options;
  return {
    name,
    role: 'judge',
    async ask(question, { signal } = {}): Promise<OracleAnswer> {
      // When the caller's signal is aborted, the votes of the voters that have answered still count.
      const votes = await Promise.all(
        oracles.map((oracle) => voteOf(oracle, question, timeLimit(timeoutMs, signal))),
      );
      const valid = votes.filter(isValid);
      const consensus = consensusOf(votes);
      const reasoning = valid.find(({ outcome }) => outcome === consensus.outcome)?.reasoning ?? '';
      const citations = mergeCitations(...valid.map((vote) => vote.citations));
      return { ...consensus, citations, reasoning, votes };
    },
  };
}

/** The vote of one voter. A voter that throws, answers nonsense or exceeds its time limit has a failed vote. */
async function voteOf(oracle: Oracle, question: OracleQuestion, signal: AbortSignal): Promise<Vote> {
  const began = performance.now();
  const asked = () => ({ oracle: oracle.name, latencyMs: Math.round(performance.now() - began) });
  try {
    const answer = await unlessStopped(signal, async () => oracle.ask(question, { signal }));
    const { own, votes } = receiveAnswer(answer, asked());
    // An authority decides by itself. The votes of the voters that it has asked only explain its answer.
    const vote = oracle.role === 'judge' ? together(own, votes) : own;
    return { ...vote, ...spendingOf(votes), ...asked() };
  } catch (error) {
    return noAnswer(asked(), error instanceof Error ? error.message : 'the voter failed').own;
  }
}

/**
 * The vote of a voter that is itself a judge: one vote in place of its `votes`. The vote has an answer only if
 * all `votes` have the same answer, and it is as sure as the least sure of them. A mean would hide a vote that
 * disagrees, abstains or has failed.
 */
function together(own: Vote, votes: readonly Vote[]): Vote {
  const [only] = votes.length === 1 ? votes : [];
  if (only !== undefined) return only;
  const failed = votes.filter((vote) => !isValid(vote)).length;
  if (failed > 0)
    return failedVote({ ...own, model: null }, `${failed} of its ${votes.length} voters failed`);
  const { probability, agreement } = consensusOf(votes);
  const outcome = agreement === 1 ? (votes[0]?.outcome ?? 'UNKNOWN') : 'UNKNOWN';
  const probabilities = votes.map((vote) => vote.probability);
  const leastSure = { YES: Math.min(...probabilities), NO: Math.max(...probabilities) };
  return {
    oracle: own.oracle,
    model: null,
    latencyMs: own.latencyMs,
    outcome,
    probability: outcome === 'YES' || outcome === 'NO' ? leastSure[outcome] : probability,
    confidence: agreement === 1 ? Math.min(...votes.map((vote) => vote.confidence)) : 0,
    citations: mergeCitations(...votes.map((vote) => vote.citations)),
    reasoning: own.reasoning === '' ? (votes[0]?.reasoning ?? '') : own.reasoning,
  };
}

function spendingOf(votes: readonly Vote[]): Pick<Vote, 'tokens' | 'costUsd'> {
  const sumOf = (figure: 'tokens' | 'costUsd'): number | undefined => {
    const figures = votes.flatMap((vote) => vote[figure] ?? []);
    return figures.length === 0 ? undefined : figures.reduce((sum, each) => sum + each, 0);
  };
  const [tokens, costUsd] = [sumOf('tokens'), sumOf('costUsd')];
  return { ...(tokens !== undefined && { tokens }), ...(costUsd !== undefined && { costUsd }) };
}
