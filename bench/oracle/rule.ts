/**
 * Measures the round rule without a model. Scripted voters with known error rates answer every decidable question many
 * times, and the results are compared with probability theory. The bench says nothing about a model.
 */
import { DEFAULT_ROUND_RULES } from '../../src/domain/oracle/rounds';
import { printTable } from '../report';
import { decidable, type BenchQuestion } from './questions';
import { majorityAnswer, standardError } from './score';
import { playMarket, POPULATIONS, scriptedVotes, seededRandom } from './scripted-voters';
import { majorityChances, roundChances, ruleChances, type Population } from './theory';

/** The largest difference that chance explains. With a correct rule, one figure in 16,000 differs by more. */
const MOST_STANDARD_ERRORS = 4;

export interface RuleFigure {
  population: string;
  what: string;
  expected: number;
  seen: number;
  samples: number;
  errors: number;
}

export interface RuleRun {
  questions: readonly BenchQuestion[];
  repetitions: number;
  seed: number;
}

export function measureRule({ questions, repetitions, seed }: RuleRun): RuleFigure[] {
  return POPULATIONS.flatMap((population, index) =>
    measurePopulation(population, { questions, repetitions, seed: seed + index }),
  );
}

function measurePopulation(population: Population, { questions, repetitions, seed }: RuleRun): RuleFigure[] {
  const random = seededRandom(seed);
  const counts = { right: 0, wrong: 0, escalated: 0, majorityRight: 0, majorityWrong: 0, samples: 0 };
  for (let repetition = 0; repetition < repetitions; repetition += 1) {
    for (const { outcome } of decidable(questions)) {
      const { decision, firstRound } = playMarket(() => scriptedVotes(population, outcome, random));
      const majority = majorityAnswer(firstRound);
      counts.samples += 1;
      if (decision.kind === 'escalated') counts.escalated += 1;
      if (decision.kind === 'decided') counts[decision.outcome === outcome ? 'right' : 'wrong'] += 1;
      if (majority !== null) counts[majority === outcome ? 'majorityRight' : 'majorityWrong'] += 1;
    }
  }
  const rule = ruleChances(roundChances(population), DEFAULT_ROUND_RULES.maxDisagreements);
  const majority = majorityChances(population);
  const figure = (what: string, expected: number, count: number): RuleFigure => {
    const seen = count / counts.samples;
    const errors = Math.abs(seen - expected) / standardError(expected, counts.samples);
    return { population: population.name, what, expected, seen, samples: counts.samples, errors };
  };
  return [
    figure('rule: paid, right', rule.right, counts.right),
    figure('rule: paid, wrong', rule.wrong, counts.wrong),
    figure('rule: to an operator', rule.escalated, counts.escalated),
    figure('majority: right', majority.right, counts.majorityRight),
    figure('majority: wrong', majority.wrong, counts.majorityWrong),
  ];
}

export function unexplained(figures: readonly RuleFigure[]): RuleFigure[] {
  return figures.filter(({ errors }) => !(errors <= MOST_STANDARD_ERRORS));
}

export function reportRule(run: RuleRun): void {
  const figures = measureRule(run);
  console.log(
    `This measures the round rule, not a model: scripted voters, ${figures[0]?.samples ?? 0} markets each, seed ${run.seed}.\n`,
  );
  const percent = (value: number): string => `${(value * 100).toFixed(2)}%`;
  printTable(
    ['voters', 'what', 'theory', 'seen', 'standard errors'],
    figures.map(({ population, what, expected, seen, errors }) => [
      population,
      what,
      percent(expected),
      percent(seen),
      errors.toFixed(1),
    ]),
  );
  const bad = unexplained(figures);
  console.log(
    bad.length === 0
      ? '\nEach figure lies within four standard errors of the theory.'
      : `\n${bad.length} figures are further than four standard errors from the theory.`,
  );
  if (bad.length > 0) process.exitCode = 1;
}
