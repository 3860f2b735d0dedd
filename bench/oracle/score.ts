/** The quality of a set of decisions. Pure. */
import {
  isDecisive,
  isValid,
  type DecisiveOutcome,
  type OracleOutcome,
  type Vote,
} from '../../src/domain/oracle/vote';
import type { BenchQuestion } from './questions';

/** The answer of one voter, or of a round of voters (`decideRound`), to one question. */
export interface Judgement {
  question: Pick<BenchQuestion, 'kind' | 'outcome'>;
  /** `null` stands for no answer. */
  answer: DecisiveOutcome | null;
  /** The probability of YES, 0 to 1. `null` without a valid vote. */
  probability: number | null;
}

export interface Score {
  /** The share of right answers among the answers to decidable questions. `null` without an answer. */
  accuracy: number | null;
  /** The share of the decidable questions that got an answer. */
  coverage: number | null;
  /** The share of the undecidable questions that got no answer. */
  abstention: number | null;
  /**
   * The mean squared error of the probability over decidable questions. 0 is perfect, and 0.25 is "always 50%".
   */
  brier: number | null;
  /** The expected calibration error over ten bins of equal width. */
  ece: number | null;
  wrong: number;
}

export function scoreOf(judgements: readonly Judgement[]): Score {
  const decidable = judgements.filter(({ question }) => question.kind === 'decidable');
  const undecidable = judgements.filter(({ question }) => question.kind !== 'decidable');
  const answered = decidable.filter(({ answer }) => answer !== null);
  const right = answered.filter(({ answer, question }) => answer === question.outcome);
  const forecasts = decidable.flatMap(({ probability, question }) =>
    probability === null ? [] : [{ probability, happened: question.outcome === 'YES' ? 1 : 0 }],
  );
  return {
    accuracy: share(right.length, answered.length),
    coverage: share(answered.length, decidable.length),
    abstention: share(undecidable.filter(({ answer }) => answer === null).length, undecidable.length),
    brier: mean(forecasts.map(({ probability, happened }) => (probability - happened) ** 2)),
    ece: calibrationError(forecasts),
    wrong: answered.length - right.length,
  };
}

interface Forecast {
  probability: number;
  happened: number;
}

function calibrationError(forecasts: readonly Forecast[]): number | null {
  if (forecasts.length === 0) return null;
  const bins = Array.from({ length: 10 }, (): Forecast[] => []);
  for (const forecast of forecasts) bins[Math.min(9, Math.floor(forecast.probability * 10))]?.push(forecast);
  const gaps = bins.map((bin) => {
    const said = mean(bin.map(({ probability }) => probability)) ?? 0;
    const happened = mean(bin.map((forecast) => forecast.happened)) ?? 0;
    return Math.abs(said - happened) * bin.length;
  });
  return gaps.reduce((total, gap) => total + gap, 0) / forecasts.length;
}

/** The YES or NO that more than half of the voters say. Voters that abstain or fail count as voters. */
export function majorityAnswer(votes: readonly Vote[]): DecisiveOutcome | null {
  const has = (outcome: OracleOutcome): boolean =>
    votes.filter((vote) => isValid(vote) && vote.outcome === outcome).length > votes.length / 2;
  if (has('YES')) return 'YES';
  return has('NO') ? 'NO' : null;
}

export function answerOf(vote: Vote): DecisiveOutcome | null {
  return isValid(vote) && isDecisive(vote.outcome) ? vote.outcome : null;
}

/** The standard error of a share with the expectation `expected` in `samples` draws. */
export function standardError(expected: number, samples: number): number {
  return Math.sqrt((expected * (1 - expected)) / samples);
}

export function share(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((total, value) => total + value, 0) / values.length;
}
