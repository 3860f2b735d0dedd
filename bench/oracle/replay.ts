/**
 * Asks an oracle the questions of the fixture. Scores the round rule, each voter alone, and a majority of the voters.
 */
import { receiveAnswer } from '../../src/domain/oracle/answer';
import { consensusOf } from '../../src/domain/oracle/consensus';
import {
  decideRound,
  DEFAULT_ROUND_RULES,
  NO_ROUNDS,
  type RoundDecision,
  type RoundRules,
} from '../../src/domain/oracle/rounds';
import { failedVote, isValid, type DecisiveOutcome, type Vote } from '../../src/domain/oracle/vote';
import type { Oracle } from '../../src/ports/oracle';
import { AS_OF, injectedQuestions, type BenchQuestion } from './questions';
import { answerOf, majorityAnswer, scoreOf, share, type Judgement, type Score } from './score';

export interface ReplayOptions {
  oracle: Oracle;
  questions: readonly BenchQuestion[];
  /** The most rounds for one question. Every round asks the same question at the same `asOf`. */
  maxRounds: number;
  concurrency: number;
  rules?: RoundRules;
}

export interface JudgeReport {
  judge: string;
  score: Score;
  /** The share of the questions with a hidden instruction in which the answer followed that instruction. */
  injectionSuccess: number | null;
  costUsd: number | null;
  failed: number;
}

interface Replayed {
  question: BenchQuestion;
  decision: RoundDecision;
  rounds: readonly (readonly Vote[])[];
}

export async function replay(options: ReplayOptions): Promise<JudgeReport[]> {
  const plain = await playAll(options.questions, options);
  const injected = await playAll(injectedQuestions(options.questions), options);
  const voters = [...new Set([...plain, ...injected].flatMap(namesOf))];
  return [
    reportOf('the round rule', plain, injected, ruleJudgement, () => true),
    ...voters.map((name) =>
      reportOf(
        `${name} alone`,
        plain,
        injected,
        (played) => voterJudgement(played, name),
        (vote) => vote.oracle === name,
      ),
    ),
    reportOf('majority', plain, injected, majorityJudgement, () => true),
  ];
}

function namesOf({ rounds }: Replayed): string[] {
  return rounds.flat().map(({ oracle }) => oracle);
}

async function playAll<Question extends BenchQuestion>(
  questions: readonly Question[],
  options: ReplayOptions,
): Promise<(Replayed & { question: Question })[]> {
  const waiting = questions.map((question, index) => ({ question, index }));
  const played: (Replayed & { question: Question })[] = [];
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      played[next.index] = { ...(await playQuestion(next.question, options)), question: next.question };
    }
  };
  await Promise.all(Array.from({ length: options.concurrency }, worker));
  return played;
}

async function playQuestion(
  question: BenchQuestion,
  { oracle, maxRounds, rules = DEFAULT_ROUND_RULES }: ReplayOptions,
): Promise<Omit<Replayed, 'question'>> {
  const rounds: (readonly Vote[])[] = [];
  let history = NO_ROUNDS;
  while (rounds.length < maxRounds) {
    const votes = await votesOf(oracle, question);
    rounds.push(votes);
    const { decision, finding, history: after } = decideRound(votes, history, rules);
    if (decision.kind !== 'again' || finding === 'too-early') return { decision, rounds };
    history = after;
  }
  return { decision: { kind: 'again' }, rounds };
}

async function votesOf(oracle: Oracle, question: BenchQuestion): Promise<readonly Vote[]> {
  try {
    const answer = await oracle.ask({
      question: question.question,
      resolutionCriteria: question.resolutionCriteria,
      description: null,
      resolveDate: AS_OF,
      asOf: AS_OF,
      marketId: null,
      tickerId: null,
      slug: null,
      category: question.category,
      creator: null,
    });
    if (answer.votes !== undefined) return receiveAnswer(answer, { oracle: oracle.name, latencyMs: 0 }).votes;
    throw new Error('an answer without votes: give the bench the consensus oracle');
  } catch (error) {
    const message = error instanceof Error ? error.message : 'the oracle failed';
    return [failedVote({ oracle: oracle.name, model: null, latencyMs: 0 }, message)];
  }
}

function reportOf(
  judge: string,
  plain: readonly Replayed[],
  injected: readonly (Replayed & { question: { injected: DecisiveOutcome } })[],
  judgementOf: (played: Replayed) => Judgement,
  isItsVote: (vote: Vote) => boolean,
): JudgeReport {
  const votes = plain.flatMap(({ rounds }) => rounds.flat()).filter(isItsVote);
  const costs = votes.flatMap(({ costUsd }) => (costUsd === undefined ? [] : [costUsd]));
  const fooled = injected.filter((played) => judgementOf(played).answer === played.question.injected);
  return {
    judge,
    score: scoreOf(plain.map(judgementOf)),
    injectionSuccess: share(fooled.length, injected.length),
    costUsd: costs.length === 0 ? null : costs.reduce((total, cost) => total + cost, 0),
    failed: votes.filter((vote) => !isValid(vote)).length,
  };
}

function ruleJudgement({ question, decision, rounds }: Replayed): Judgement {
  const answer = decision.kind === 'decided' ? decision.outcome : null;
  const last = rounds.at(-1) ?? [];
  return { question, answer, probability: last.some(isValid) ? consensusOf(last).probability : null };
}

function voterJudgement({ question, rounds }: Replayed, name: string): Judgement {
  const vote = rounds[0]?.find(({ oracle }) => oracle === name);
  if (vote === undefined) return { question, answer: null, probability: null };
  return { question, answer: answerOf(vote), probability: isValid(vote) ? vote.probability : null };
}

function majorityJudgement({ question, rounds }: Replayed): Judgement {
  const first = rounds[0] ?? [];
  return {
    question,
    answer: majorityAnswer(first),
    probability: first.some(isValid) ? consensusOf(first).probability : null,
  };
}
