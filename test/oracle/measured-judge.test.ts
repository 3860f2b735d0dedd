import { decidable, injectedQuestions, loadQuestions, opposite } from '../../bench/oracle/questions';
import { replay } from '../../bench/oracle/replay';
import { measureRule, unexplained } from '../../bench/oracle/rule';
import { majorityAnswer, scoreOf, type Judgement } from '../../bench/oracle/score';
import { scriptedVotes, seededRandom } from '../../bench/oracle/scripted-voters';
import { consensusOracle } from '../../adapters/oracle/consensus';
import type { Oracle, OracleQuestion } from '../../src/ports/oracle';
import { majorityChances, roundChances, ruleChances } from '../../bench/oracle/theory';

const questions = loadQuestions();
const pair = (right: number, wrong: number): { right: number; wrong: number }[] => [
  { right, wrong },
  { right, wrong },
];

describe('the fixture of resolved questions', () => {
  it('has at least 200 questions, each once, with criteria', () => {
    expect(questions.length).toBeGreaterThanOrEqual(200);
    const texts = questions.map(({ question, resolutionCriteria }) => `${question}\n${resolutionCriteria}`);
    expect(new Set(texts).size).toBe(questions.length);
    expect(questions.filter(({ resolutionCriteria }) => resolutionCriteria.length < 20)).toEqual([]);
    expect(questions.map(({ id }) => id)).toEqual(questions.map((_question, index) => index + 1));
  });

  it('has questions of both outcomes, and undecidable ones of every kind', () => {
    const count = (kind: string, outcome: string): number =>
      questions.filter((question) => question.kind === kind && question.outcome === outcome).length;
    expect(count('decidable', 'YES')).toBeGreaterThanOrEqual(80);
    expect(count('decidable', 'NO')).toBeGreaterThanOrEqual(80);
    expect(count('too-early', 'TOO_EARLY')).toBeGreaterThanOrEqual(10);
    expect(count('ambiguous', 'AMBIGUOUS')).toBeGreaterThanOrEqual(10);
    expect(count('contradiction', 'AMBIGUOUS')).toBeGreaterThanOrEqual(10);
  });

  it('injects an instruction for the wrong outcome into every fifth decidable question', () => {
    const injected = injectedQuestions(questions);
    expect(injected).toHaveLength(Math.ceil(decidable(questions).length / 5));
    for (const { outcome, injected: wanted, resolutionCriteria } of injected) {
      expect(wanted).toBe(opposite(outcome));
      expect(resolutionCriteria).toContain(wanted);
      expect(resolutionCriteria).not.toContain('{outcome}');
    }
  });
});

describe('the theory of the rule', () => {
  it('multiplies the rates of independent voters', () => {
    const round = roundChances({ name: '', voters: pair(0.8, 0.1), shared: 0 });
    expect(round.right).toBeCloseTo(0.64);
    expect(round.wrong).toBeCloseTo(0.01);
    expect(round.silent).toBeCloseTo(0.01);
    expect(round.split).toBeCloseTo(0.34);
  });

  it('takes voters who share every draw for one voter', () => {
    const round = roundChances({ name: '', voters: pair(0.8, 0.1), shared: 1 });
    expect(round.right).toBeCloseTo(0.8);
    expect(round.wrong).toBeCloseTo(0.1);
    expect(round.silent).toBeCloseTo(0.1);
    expect(round.split).toBeCloseTo(0);
  });

  it('counts, with two disagreements allowed, what a hand counts', () => {
    const chances = ruleChances({ right: 0.5, wrong: 0.2, silent: 0, split: 0.3 }, 2);
    // A market is resolved right if its first round is right, or if its first round is split and the next two are
    // right.
    expect(chances.right).toBeCloseTo(0.5 + 0.3 * 0.5 * 0.5);
    expect(chances.wrong).toBeCloseTo(0.2 + 0.3 * 0.2 * 0.2);
    expect(chances.right + chances.wrong + chances.escalated).toBeCloseTo(1);
  });

  it('gives a majority of three independent voters the binomial chance', () => {
    const voters = [...pair(0.8, 0.2), { right: 0.8, wrong: 0.2 }];
    expect(majorityChances({ name: '', voters, shared: 0 }).right).toBeCloseTo(0.896);
    expect(majorityChances({ name: '', voters, shared: 1 }).right).toBeCloseTo(0.8);
  });
});

describe('the rule with scripted voters', () => {
  const figures = measureRule({ questions, repetitions: 20, seed: 1 });

  it('pays, errs and escalates as often as theory says, within four standard errors', () => {
    expect(unexplained(figures)).toEqual([]);
    expect(figures.length).toBeGreaterThan(20);
  });

  it('pays wrong less often than a majority does, for every population', () => {
    const seen = (population: string, what: string): number =>
      figures.find((figure) => figure.population === population && figure.what === what)?.seen ?? NaN;
    for (const population of new Set(figures.map((figure) => figure.population))) {
      // The majority of two voters has to be unanimous too, so two voters are left out.
      if (population.startsWith('two')) continue;
      expect(seen(population, 'rule: paid, wrong')).toBeLessThan(seen(population, 'majority: wrong'));
    }
  });

  it('is caught when it differs from the theory', () => {
    const moved = figures.map((figure) => ({ ...figure, errors: figure.errors + 5 }));
    expect(unexplained(moved)).toHaveLength(figures.length);
    expect(unexplained([{ ...figures[0]!, errors: NaN }])).toHaveLength(1);
  });

  it('draws the same votes from the same seed', () => {
    const population = { name: '', voters: pair(0.5, 0.3), shared: 0.2 };
    const draw = (): unknown => {
      const random = seededRandom(7);
      return Array.from({ length: 20 }, () => scriptedVotes(population, 'NO', random));
    };
    expect(draw()).toEqual(draw());
  });
});

describe('the score', () => {
  const judged = (
    kind: string,
    outcome: string,
    answer: string | null,
    probability: number | null,
  ): Judgement => ({ question: { kind, outcome }, answer, probability }) as Judgement;

  it('counts accuracy over answers, coverage over decidable questions, abstention over the others', () => {
    const score = scoreOf([
      judged('decidable', 'YES', 'YES', 0.9),
      judged('decidable', 'NO', 'YES', 0.8),
      judged('decidable', 'NO', null, 0.5),
      judged('decidable', 'NO', null, null),
      judged('ambiguous', 'AMBIGUOUS', null, 0.5),
      judged('too-early', 'TOO_EARLY', 'NO', 0.1),
    ]);
    expect(score).toMatchObject({ accuracy: 0.5, coverage: 0.5, abstention: 0.5, wrong: 1 });
    expect(score.brier).toBeCloseTo((0.01 + 0.64 + 0.25) / 3);
    expect(score.ece).toBeCloseTo((0.1 + 0.8 + 0.5) / 3);
  });

  it('has no figure where there is nothing to count', () => {
    expect(scoreOf([])).toEqual({
      accuracy: null,
      coverage: null,
      abstention: null,
      brier: null,
      ece: null,
      wrong: 0,
    });
  });

  it('needs more than half of all voters for a majority', () => {
    const random = seededRandom(1);
    const votes = (right: number, wrong: number): ReturnType<typeof scriptedVotes> => [
      ...scriptedVotes(
        { name: '', voters: Array(right).fill({ right: 1, wrong: 0 }), shared: 0 },
        'YES',
        random,
      ),
      ...scriptedVotes(
        { name: '', voters: Array(wrong).fill({ right: 0, wrong: 1 }), shared: 0 },
        'YES',
        random,
      ),
    ];
    expect(majorityAnswer(votes(2, 1))).toBe('YES');
    expect(majorityAnswer(votes(1, 2))).toBe('NO');
    expect(majorityAnswer(votes(1, 1))).toBeNull();
    expect(majorityAnswer([])).toBeNull();
  });
});

describe('a replay of the fixture', () => {
  type Said = 'YES' | 'NO' | 'TOO_EARLY' | 'AMBIGUOUS';

  function voter(name: string, judge: (question: OracleQuestion) => Said): Oracle {
    return {
      name,
      role: 'judge',
      ask: (question) => {
        const outcome = judge(question);
        const probability = { YES: 0.98, NO: 0.02, TOO_EARLY: 0.5, AMBIGUOUS: 0.5 }[outcome];
        return Promise.resolve({ outcome, probability, confidence: 0.95 });
      },
    };
  }
  const truths = new Map(
    questions.map(({ question, resolutionCriteria, outcome }) => [
      `${question} ${resolutionCriteria}`,
      outcome,
    ]),
  );
  const knowing = (question: OracleQuestion): Said =>
    truths.get(`${question.question} ${question.resolutionCriteria?.split('\n\n')[0]}`) ?? 'AMBIGUOUS';
  const obedient = (question: OracleQuestion): Said => {
    const order = question.resolutionCriteria?.split('\n\n')[1];
    if (order === undefined) return knowing(question);
    return /YES/.test(order) ? 'YES' : 'NO';
  };
  const run = (voters: Oracle[]): ReturnType<typeof replay> =>
    replay({ oracle: consensusOracle({ oracles: voters }), questions, maxRounds: 3, concurrency: 4 });
  const of = (reports: Awaited<ReturnType<typeof replay>>, judge: string): (typeof reports)[number] => {
    const found = reports.find((report) => report.judge === judge);
    if (found === undefined) throw new Error(`there is no report of ${judge}`);
    return found;
  };

  it('gives judges that know every answer the best score', async () => {
    const reports = await run([voter('a', knowing), voter('b', knowing)]);
    expect(reports.map(({ judge }) => judge)).toEqual(['the round rule', 'a alone', 'b alone', 'majority']);
    for (const { score, injectionSuccess, failed } of reports) {
      expect(score).toMatchObject({ accuracy: 1, coverage: 1, abstention: 1, wrong: 0 });
      expect(score.brier).toBeCloseTo(0.0004);
      expect(score.ece).toBeCloseTo(0.02);
      expect({ injectionSuccess, failed }).toEqual({ injectionSuccess: 0, failed: 0 });
    }
  });

  it('counts instructions that a voter obeys, and those that reach a decision', async () => {
    const reports = await run([voter('a', knowing), voter('b', obedient), voter('c', obedient)]);
    expect(of(reports, 'a alone').injectionSuccess).toBe(0);
    expect(of(reports, 'b alone').injectionSuccess).toBe(1);
    expect(of(reports, 'majority').injectionSuccess).toBe(1);
    expect(of(reports, 'the round rule').injectionSuccess).toBe(0);
  });

  it('counts failed votes, and leaves their questions unanswered', async () => {
    const broken: Oracle = { name: 'b', role: 'judge', ask: () => Promise.reject(new Error('HTTP 500')) };
    const reports = await run([voter('a', knowing), broken]);
    expect(of(reports, 'the round rule').score).toMatchObject({ accuracy: null, coverage: 0 });
    expect(of(reports, 'b alone').failed).toBeGreaterThanOrEqual(questions.length);
  });
});
