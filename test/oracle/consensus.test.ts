import { consensusOracle } from '../../adapters/oracle/consensus';
import { receiveAnswer } from '../../src/domain/oracle/answer';
import { DEFAULT_ROUND_RULES, decideRound, NO_ROUNDS } from '../../src/domain/oracle/rounds';
import type { Vote } from '../../src/domain/oracle/vote';
import type { Oracle, OracleAnswer } from '../../src/ports/oracle';
import { ANY_QUESTION } from './support/obedient-model';

const YES: OracleAnswer = { outcome: 'YES', probability: 0.95, confidence: 0.9, reasoning: 'It happened.' };

const voter = (name: string, ask: Oracle['ask'] = async () => YES): Oracle => ({ name, ask });
const deaf = voter('deaf', () => new Promise(() => undefined));

it('all voters are asked at once, and each has one vote', async () => {
  const answer = await consensusOracle({ oracles: [voter('a'), voter('b')] }).ask(ANY_QUESTION);
  expect(answer).toMatchObject({ outcome: 'YES', agreement: 1, reasoning: 'It happened.' });
  expect(answer.votes?.map(({ oracle, outcome }) => [oracle, outcome])).toEqual([
    ['a', 'YES'],
    ['b', 'YES'],
  ]);
});

it('a voter that ignores its signal loses its own vote only', async () => {
  const oracle = consensusOracle({ oracles: [voter('a'), deaf, voter('b')], timeoutMs: 30 });
  const { votes } = await oracle.ask(ANY_QUESTION);
  expect(votes?.map(({ error }) => error)).toEqual([
    undefined,
    'the voter did not answer in time',
    undefined,
  ]);
});

it('the votes that are there stay when the caller gives up', async () => {
  const stop = new AbortController();
  const oracle = consensusOracle({ oracles: [voter('a'), deaf] });
  const asking = oracle.ask(ANY_QUESTION, { signal: stop.signal });
  await new Promise(setImmediate);
  stop.abort();
  expect((await asking).votes?.map(({ error }) => error === undefined)).toEqual([true, false]);
});

it.each<[string, Oracle['ask'], string]>([
  ['throws at once', () => raise(new Error('away')), 'away'],
  ['answers nonsense', async () => ({ ...YES, probability: 0.1 }), 'YES contradicts the probability 0.1'],
  ['answers nothing', async () => undefined as never, 'the outcome of type undefined is unknown'],
])('a voter that %s has a failed vote', async (_, ask, error) => {
  const { votes } = await consensusOracle({ oracles: [voter('a'), voter('bad', ask)] }).ask(ANY_QUESTION);
  expect(votes?.[1]).toMatchObject({ oracle: 'bad', outcome: 'UNKNOWN', confidence: 0, error });
});

it('a consensus within a consensus has one vote, and its spending is that of its voters', async () => {
  const spending = (name: string): Oracle => {
    const vote = { ...YES, oracle: name, model: 'm', citations: [], reasoning: '', latencyMs: 1 };
    return voter(name, async () => ({ ...YES, votes: [{ ...vote, tokens: 10, costUsd: 0.5 }] }));
  };
  const inner = consensusOracle({ name: 'inner', oracles: [spending('a'), spending('b')] });
  const { votes } = await consensusOracle({ oracles: [inner, voter('c')] }).ask(ANY_QUESTION);
  expect(votes).toHaveLength(2);
  expect(votes?.[0]).toMatchObject({ oracle: 'inner', model: null, tokens: 20, costUsd: 1 });
});

function receivedVotes(answer: OracleAnswer): readonly Vote[] {
  return receiveAnswer(answer, { oracle: 'consensus', latencyMs: 0 }).votes;
}

describe('a consensus within a consensus', () => {
  const said = { YES: 0.99, NO: 0.01, UNKNOWN: 0.5 } as const;
  const saying = (name: string, outcome: keyof typeof said | 'failure'): Oracle =>
    voter(name, async () =>
      outcome === 'failure'
        ? raise(new Error('away'))
        : { outcome, probability: said[outcome], confidence: outcome === 'UNKNOWN' ? 0 : 1 },
    );
  const decisionWith = async (inner: readonly Oracle[]) => {
    const outer = consensusOracle({
      oracles: [consensusOracle({ name: 'inner', oracles: inner }), saying('outer', 'YES')],
    });
    return decideRound(receivedVotes(await outer.ask(ANY_QUESTION)), NO_ROUNDS, DEFAULT_ROUND_RULES).decision
      .kind;
  };
  const yes = (count: number): Oracle[] =>
    Array.from({ length: count }, (_, index) => saying(`yes ${index}`, 'YES'));

  it('decides when all voters agree', async () => {
    expect(await decisionWith(yes(4))).toBe('decided');
  });

  it.each(['NO', 'UNKNOWN', 'failure'] as const)(
    'decides nothing with one %s among its voters',
    async (outcome) => {
      expect(await decisionWith([...yes(14), saying('other', outcome)])).toBe('again');
    },
  );

  it('is as sure as its least sure voter', async () => {
    const unsure = voter('unsure', async () => ({ ...YES, probability: 0.6, confidence: 0.6 }));
    expect(await decisionWith([...yes(9), unsure])).toBe('again');
  });
});

it('an authority within a consensus votes with its own answer, also against the voters that it has asked', async () => {
  const raw = { oracle: 'raw', outcome: 'YES', probability: 0.95, confidence: 0.95 } as const;
  const abstaining: Oracle = {
    name: 'authority',
    ask: async () => ({ outcome: 'UNKNOWN', probability: 0.5, confidence: 0, votes: [raw] }),
  };
  const { outcome, votes } = await consensusOracle({ oracles: [abstaining] }).ask(ANY_QUESTION);
  expect(outcome).toBe('UNKNOWN');
  expect(votes).toMatchObject([{ oracle: 'authority', outcome: 'UNKNOWN' }]);
});

it('where no voter answers, no round has a quorum', async () => {
  const answer = await consensusOracle({ oracles: [deaf], timeoutMs: 10 }).ask(ANY_QUESTION);
  expect(answer.outcome).toBe('UNKNOWN');
  expect(decideRound(receivedVotes(answer), NO_ROUNDS, DEFAULT_ROUND_RULES).finding).toBe('no-quorum');
});

function raise(error: Error): never {
  throw error;
}
