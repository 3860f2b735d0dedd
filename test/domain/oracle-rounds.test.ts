import fc from 'fast-check';
import { consensusOf, opinionOf } from '../../src/domain/oracle/consensus';
import {
  DEFAULT_ROUND_RULES,
  decideByAuthority,
  decideRound,
  nextRoundDelayMs,
  NO_ROUNDS,
  type RoundDecision,
  type RoundHistory,
} from '../../src/domain/oracle/rounds';
import {
  failedVote,
  ORACLE_OUTCOMES,
  verdictProblem,
  type OracleOutcome,
  type Vote,
} from '../../src/domain/oracle/vote';

const rules = DEFAULT_ROUND_RULES;

function vote(outcome: OracleOutcome, figures: Partial<Vote> = {}): Vote {
  const probability = { YES: 0.97, NO: 0.03, TOO_EARLY: 0.5, AMBIGUOUS: 0.5, UNKNOWN: 0.5 }[outcome];
  const said = { citations: [], reasoning: '', latencyMs: 1 };
  return { oracle: 'o', model: 'm', outcome, probability, confidence: 0.9, ...said, ...figures };
}
const failed = failedVote({ oracle: 'o', model: 'm', latencyMs: 1 }, 'HTTP 500');

function play(
  rounds: readonly Vote[][],
  start: RoundHistory = NO_ROUNDS,
): { decision: RoundDecision; rounds: number } {
  let history = start;
  for (const votes of rounds) {
    const result = decideRound(votes, history, rules);
    history = result.history;
    if (result.decision.kind !== 'again') return { decision: result.decision, rounds: history.rounds };
  }
  return { decision: { kind: 'again' }, rounds: history.rounds };
}

const unanimousYes = [vote('YES'), vote('YES'), vote('YES')];
const split = [vote('YES'), vote('YES'), vote('NO')];

describe('a round of judges', () => {
  it('decides when all voters agree with confidence', () => {
    expect(play([unanimousYes])).toEqual({ decision: { kind: 'decided', outcome: 'YES' }, rounds: 1 });
    expect(play([[vote('NO'), vote('NO')]]).decision).toEqual({ kind: 'decided', outcome: 'NO' });
  });

  it('takes probabilities and confidences on the threshold, and none below it', () => {
    const onIt = { probability: 0.9, confidence: 0.8 };
    expect(play([[vote('YES', onIt), vote('YES', onIt)]]).decision.kind).toBe('decided');
    const no = { probability: 0.1, confidence: 0.8 };
    expect(play([[vote('NO', no), vote('NO', no)]]).decision.kind).toBe('decided');
    for (const below of [{ probability: 0.899 }, { confidence: 0.799 }]) {
      expect(play([[vote('YES'), vote('YES', below)]]).decision.kind).toBe('again');
    }
    expect(play([[vote('NO'), vote('NO', { probability: 0.101 })]]).decision.kind).toBe('again');
  });

  it.each(['AMBIGUOUS', 'UNKNOWN', 'TOO_EARLY'] as const)('is vetoed by one %s', (abstention) => {
    expect(play([[vote('YES'), vote('YES'), vote(abstention)]]).decision.kind).toBe('again');
  });

  it('never follows a majority', () => {
    expect(play(Array.from({ length: 7 }, () => split)).decision.kind).toBe('again');
  });

  it('escalates after eight disagreeing rounds, without a proposal', () => {
    const eight = Array.from({ length: 8 }, () => split);
    expect(play(eight)).toEqual({ decision: { kind: 'escalated', proposal: null }, rounds: 8 });
  });

  it('needs the same outcome twice in a row after a split', () => {
    expect(play([split, unanimousYes])).toEqual({ decision: { kind: 'again' }, rounds: 2 });
    expect(play([split, unanimousYes, unanimousYes]).decision).toEqual({ kind: 'decided', outcome: 'YES' });
    const outage = [failed, failed, failed];
    expect(play([split, unanimousYes, outage, unanimousYes]).decision.kind).toBe('again');
    const no = [vote('NO'), vote('NO'), vote('NO')];
    expect(play([split, unanimousYes, no]).decision.kind).toBe('again');
  });

  it('waits for every voter in three rounds, then for two thirds, and never for fewer than two', () => {
    const oneAway = [vote('YES'), vote('YES'), failed];
    expect(play([oneAway, oneAway, oneAway]).decision.kind).toBe('again');
    expect(play([oneAway, oneAway, oneAway, oneAway])).toEqual({
      decision: { kind: 'decided', outcome: 'YES' },
      rounds: 4,
    });
    const alone = [vote('YES'), failed];
    expect(play(Array.from({ length: 200 }, () => alone)).decision.kind).toBe('again');
  });

  it('asks again and again while it is too early or voters are away', () => {
    const early = [vote('TOO_EARLY'), vote('TOO_EARLY')];
    const rounds = Array.from({ length: 300 }, (_, index) => (index % 2 === 0 ? early : [failed, failed]));
    expect(play(rounds).decision.kind).toBe('again');
    expect(play([...rounds, [vote('YES'), vote('YES')]]).decision).toEqual({
      kind: 'decided',
      outcome: 'YES',
    });
  });

  it('makes a proposal of what all voters say where fewer are configured than have to vote', () => {
    const three = { ...rules, minVoters: 3 };
    const both = decideRound([vote('YES'), vote('YES')], NO_ROUNDS, three);
    expect(both.decision).toEqual({ kind: 'escalated', proposal: 'YES' });
    const oneAway = decideRound([vote('YES'), failed], { ...NO_ROUNDS, rounds: 10 }, three);
    expect(oneAway).toMatchObject({ finding: 'no-quorum', decision: { kind: 'again' } });
  });

  it('lets a single voter propose only, unless the rules are content with one', () => {
    expect(play([[vote('YES')]]).decision).toEqual({ kind: 'escalated', proposal: 'YES' });
    const alone = decideRound([vote('YES')], NO_ROUNDS, { ...rules, minVoters: 1 });
    expect(alone.decision).toEqual({ kind: 'decided', outcome: 'YES' });
  });
});

const anyVote: fc.Arbitrary<Vote> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(vote('YES'), vote('NO')) },
  { weight: 2, arbitrary: fc.constantFrom(...ORACLE_OUTCOMES).map((outcome) => vote(outcome)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(vote('YES', { confidence: 0.5 }), vote('NO', { probability: 0.3 })),
  },
  { weight: 1, arbitrary: fc.constant(failed) },
);
const voters = fc.integer({ min: 2, max: 5 });
const history = voters.chain((n) =>
  fc.array(fc.array(anyVote, { minLength: n, maxLength: n }), { minLength: 1, maxLength: 14 }),
);

describe('rounds over time', () => {
  it('decide only what every valid vote of the last round said with confidence', () => {
    fc.assert(
      fc.property(history, (rounds) => {
        const { decision, rounds: taken } = play(rounds);
        if (decision.kind !== 'decided') return;
        const last = rounds[taken - 1] ?? [];
        const valid = last.filter(({ error }) => error === undefined);
        expect(valid.length).toBeGreaterThanOrEqual(Math.max(2, Math.ceil((last.length * 2) / 3)));
        if (taken <= 3) expect(valid).toHaveLength(last.length);
        for (const { outcome, probability, confidence } of valid) {
          expect(outcome).toBe(decision.outcome);
          expect(confidence).toBeGreaterThanOrEqual(0.8);
          expect(outcome === 'YES' ? probability : 1 - probability).toBeGreaterThanOrEqual(0.9);
        }
      }),
    );
  });

  it('after a split decide only with the same answer in the round before', () => {
    fc.assert(
      fc.property(history, (rounds) => {
        const { decision, rounds: taken } = play(rounds);
        if (decision.kind !== 'decided') return;
        const outcomesOf = (votes: readonly Vote[]): Set<OracleOutcome> =>
          new Set(votes.filter(({ error }) => error === undefined).map(({ outcome }) => outcome));
        const hadSplit = rounds
          .slice(0, taken - 1)
          .some(
            (votes, index) => outcomesOf(votes).size > 1 && isQuorum(votes, index + 1) && hasAnswer(votes),
          );
        if (!hadSplit) return;
        expect([...outcomesOf(rounds[taken - 2] ?? [])]).toEqual([decision.outcome]);
      }),
    );
  });

  it('do not depend on the order of the voters', () => {
    fc.assert(
      fc.property(history, (rounds) => {
        const reversed = rounds.map((votes) => [...votes].reverse());
        expect(play(reversed)).toEqual(play(rounds));
      }),
    );
  });
});

function isQuorum(votes: readonly Vote[], round: number): boolean {
  const valid = votes.filter(({ error }) => error === undefined).length;
  return valid >= Math.max(2, round <= 3 ? votes.length : Math.ceil((votes.length * 2) / 3));
}
function hasAnswer(votes: readonly Vote[]): boolean {
  return votes.some(({ outcome, error }) => error === undefined && (outcome === 'YES' || outcome === 'NO'));
}

describe('the consensus', () => {
  it('weighs probabilities by confidence, and confidence by agreement', () => {
    const votes = [
      vote('YES', { probability: 1, confidence: 0.9 }),
      vote('YES', { probability: 0.9, confidence: 0.6 }),
      vote('NO', { probability: 0.1, confidence: 0.3 }),
      failed,
    ];
    const { outcome, probability, confidence, agreement } = consensusOf(votes);
    expect(outcome).toBe('YES');
    expect(probability).toBeCloseTo((0.9 + 0.54 + 0.03) / 1.8, 12);
    expect(agreement).toBeCloseTo(2 / 3, 12);
    expect(confidence).toBeCloseTo((0.75 * 2) / 3, 12);
  });

  it('takes the plain mean where no vote has confidence', () => {
    const votes = [
      vote('YES', { probability: 0.8, confidence: 0 }),
      vote('NO', { probability: 0.2, confidence: 0 }),
    ];
    expect(consensusOf(votes).probability).toBeCloseTo(0.5, 12);
  });

  it('is shown and stored with six decimals, so that 0.95 of three voters is 0.95', () => {
    const votes = Array.from({ length: 3 }, () => vote('YES', { probability: 0.97, confidence: 0.95 }));
    const told = { outcome: 'YES', probability: 0.97, confidence: 0.95, agreement: 1 };
    expect(consensusOf(votes).confidence).not.toBe(0.95);
    expect(decideRound(votes, NO_ROUNDS, rules).consensus).toEqual(told);
    expect(opinionOf(votes)).toEqual(told);
    expect(opinionOf([...votes.slice(1), vote('NO')])?.agreement).toBe(0.666667);
  });

  it('stays within 0 and 1', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    const anyFigures = fc.record({
      probability: share,
      confidence: share,
      outcome: fc.constantFrom(...ORACLE_OUTCOMES),
    });
    fc.assert(
      fc.property(fc.array(anyFigures, { maxLength: 6 }), (figures) => {
        const consensus = consensusOf(figures.map((each) => vote(each.outcome, each)));
        for (const value of [consensus.probability, consensus.confidence, consensus.agreement]) {
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(1);
        }
      }),
    );
  });
});

describe('a paid opinion', () => {
  it.each<[string, Vote[], OracleOutcome | null]>([
    ['unanimous voters', unanimousYes, 'YES'],
    ['YES against NO', split, 'AMBIGUOUS'],
    ['over half too early', [vote('TOO_EARLY'), vote('TOO_EARLY'), vote('YES')], 'TOO_EARLY'],
    ['half too early', [vote('TOO_EARLY'), vote('YES')], 'UNKNOWN'],
    ['one abstention', [vote('YES'), vote('YES'), vote('AMBIGUOUS')], 'UNKNOWN'],
    ['two thirds of the voters', [vote('YES'), vote('YES'), failed], 'YES'],
    ['fewer than two thirds', [vote('YES'), failed], null],
    ['no voter', [failed], null],
  ])('of %s', (_, votes, expected) => {
    expect(opinionOf(votes)?.outcome ?? null).toBe(expected);
  });
});

describe('an authority', () => {
  it('decides alone with a confident answer, and with nothing else', () => {
    expect(decideByAuthority(vote('NO', { confidence: 0.8 }), rules)).toEqual({
      kind: 'decided',
      outcome: 'NO',
    });
    for (const other of [vote('YES', { confidence: 0.79 }), vote('TOO_EARLY'), failed]) {
      expect(decideByAuthority(other, rules)).toEqual({ kind: 'again' });
    }
  });
});

describe('the figures of an answer', () => {
  it.each([
    [{ outcome: 'yes', probability: 1, confidence: 1 }, /outcome "yes"/],
    [{ outcome: 'YES', probability: undefined, confidence: 1 }, /probability of type undefined/],
    [{ outcome: 'YES', probability: Number.NaN, confidence: 1 }, /probability NaN/],
    [{ outcome: 'YES', probability: '1', confidence: 1 }, /probability "1"/],
    [{ outcome: 'YES', probability: 1, confidence: 1.01 }, /confidence 1.01/],
    [{ outcome: 'YES', probability: 0.49, confidence: 1 }, /contradicts/],
    [{ outcome: 'NO', probability: 0.51, confidence: 1 }, /contradicts/],
  ])('are refused: %j', (verdict, problem) => {
    expect(verdictProblem(verdict)).toMatch(problem);
  });

  it('are taken at the bounds', () => {
    expect(verdictProblem({ outcome: 'YES', probability: 0.5, confidence: 0 })).toBeNull();
    expect(verdictProblem({ outcome: 'NO', probability: 0.5, confidence: 1 })).toBeNull();
  });
});

describe('the wait before the next round', () => {
  it('doubles up to 120 intervals, within a tenth', () => {
    expect(nextRoundDelayMs(1, 60_000, 0.5)).toBe(120_000);
    expect(nextRoundDelayMs(6, 60_000, 0.5)).toBe(64 * 60_000);
    expect(nextRoundDelayMs(7, 60_000, 0.5)).toBe(120 * 60_000);
    expect(nextRoundDelayMs(5_000, 60_000, 0)).toBe(108 * 60_000);
    expect(nextRoundDelayMs(1, 60_000, 0.999999)).toBe(132_000);
  });
});
