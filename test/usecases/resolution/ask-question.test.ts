import type {
  Oracle,
  OracleAnswer,
  OracleOutcome,
  OracleQuestion,
  OracleVote,
} from '../../../src/ports/oracle';
import { askQuestion } from '../../../src/usecases/resolution/ask-question';
import { runDueMarkets } from '../../../src/usecases/resolution/run-due-markets';
import { closedMarket, createWorld, type World } from './world';

const MINUTE = 60_000;
const rain = { marketId: null, question: 'Will it rain?', resolutionCriteria: null };

function vote(outcome: OracleOutcome, details: Partial<OracleVote> = {}): OracleVote {
  const probability = { YES: 0.95, NO: 0.05, TOO_EARLY: 0.5, AMBIGUOUS: 0.5, UNKNOWN: 0.5 }[outcome];
  const said = { confidence: 0.9, citations: [], reasoning: `It says ${outcome}.`, latencyMs: 7 };
  return { oracle: `judge of ${outcome}`, model: null, outcome, probability, ...said, ...details };
}

const failed = vote('UNKNOWN', { oracle: 'away', confidence: 0, reasoning: '', error: 'HTTP 500' });

/** The test uses only `votes`. The other figures of the answer have no meaning. */
function judges(...votes: OracleVote[]): Oracle & { questions: OracleQuestion[] } {
  const questions: OracleQuestion[] = [];
  const answer: OracleAnswer = { outcome: 'UNKNOWN', probability: 0.5, confidence: 0, votes };
  return {
    name: 'judges',
    role: 'judge',
    questions,
    ask: (question) => {
      questions.push(question);
      return Promise.resolve(answer);
    },
  };
}

describe('an opinion of judges', () => {
  it.each<[string, OracleVote[], OracleOutcome]>([
    ['unanimous voters', [vote('YES'), vote('YES'), vote('YES')], 'YES'],
    ['two thirds of the voters', [vote('NO'), vote('NO'), failed], 'NO'],
    [
      'most voters for whom it is too early',
      [vote('TOO_EARLY'), vote('TOO_EARLY'), vote('YES')],
      'TOO_EARLY',
    ],
    ['YES against NO', [vote('YES'), vote('YES'), vote('NO')], 'AMBIGUOUS'],
    ['an answer beside an abstention', [vote('YES'), vote('YES'), vote('UNKNOWN')], 'UNKNOWN'],
  ])('of %s', async (_what, votes, outcome) => {
    const { context } = await createWorld();
    const view = await askQuestion({ ...context, oracle: judges(...votes) }, rain);
    expect(view.outcome).toBe(outcome);
    expect(view.votes).toHaveLength(3);
  });

  it('names a failed voter without the text of its error, and counts it for nothing', async () => {
    const { context } = await createWorld();
    const view = await askQuestion({ ...context, oracle: judges(vote('NO'), vote('NO'), failed) }, rain);
    expect(view).toMatchObject({ outcome: 'NO', probability: 0.05, agreement: 1, reasoning: 'It says NO.' });
    expect(view.votes[2]).toEqual({
      oracle: 'away',
      outcome: 'UNKNOWN',
      probability: 0.5,
      confidence: 0,
      latencyMs: 7,
      error: 'the voter failed',
    });
  });

  it('is refused when fewer than two thirds of the voters answered', async () => {
    const { context } = await createWorld();
    const asked = askQuestion({ ...context, oracle: judges(vote('YES'), failed, failed) }, rain);
    await expect(asked).rejects.toMatchObject({ code: 'ORACLE_UNAVAILABLE', status: 503 });
  });

  it('collects the sources of all voters, each address once', async () => {
    const { context } = await createWorld();
    const votes = ['https://a.example/', 'https://b.example/', 'https://a.example/'].map((url) =>
      vote('YES', { citations: [{ url }] }),
    );
    const view = await askQuestion({ ...context, oracle: judges(...votes) }, rain);
    expect(view.citations.map(({ url }) => url)).toEqual(['https://a.example/', 'https://b.example/']);
  });
});

it('a vote needs its figures only, and a citation its address', async () => {
  const { context } = await createWorld();
  const oracle = judges({
    ...{ outcome: 'YES', probability: 0.95, confidence: 0.9 },
    citations: [{ url: 'https://a.example/' }],
  });
  const view = await askQuestion({ ...context, oracle }, rain);
  expect(view).toMatchObject({ outcome: 'YES', votes: [{ oracle: 'judges', outcome: 'YES' }] });
  expect(view.citations).toEqual([
    { url: 'https://a.example/', title: null, quote: null, publishedAt: null, retrievedAt: null },
  ]);
});

it('an oracle that has not answered after 30 seconds is a refusal', async () => {
  const over = new AbortController();
  const limit = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(over.signal);
  const { context, oracle } = await createWorld();
  oracle.hold();
  const asked = askQuestion(context, rain);
  over.abort();
  await expect(asked).rejects.toMatchObject({ code: 'ORACLE_UNAVAILABLE' });
  expect(limit.mock.calls).toEqual([[30_000]]);
  limit.mockRestore();
});

it('an authority answers for itself', async () => {
  const { context, oracle } = await createWorld();
  oracle.answer('YES', { probability: 0.7, confidence: 0.6 });
  const view = await askQuestion(context, rain);
  expect(view).toMatchObject({ outcome: 'YES', probability: 0.7, confidence: 0.6, agreement: 1 });
});

describe('the same question', () => {
  async function asking(): Promise<{ world: World; ask(question?: object): Promise<string> }> {
    const world = await createWorld();
    world.oracle.answer('YES');
    return {
      world,
      ask: async (question = {}) => (await askQuestion(world.context, { ...rain, ...question })).asOf,
    };
  }

  it('is answered from what is known for a minute, with the instant at which the oracle was asked', async () => {
    const { world, ask } = await asking();
    const first = await ask();
    world.clock.advance(MINUTE - 1);
    expect(await ask({ question: '  Will  it rain? ' })).toBe(first);
    expect(world.oracle.questions).toHaveLength(1);
    world.clock.advance(1);
    expect(Date.parse(await ask())).toBe(Date.parse(first) + MINUTE);
    expect(world.oracle.questions).toHaveLength(2);
  });

  it('is asked once while the oracle still thinks', async () => {
    const { world, ask } = await asking();
    const release = world.oracle.hold();
    const both = Promise.all([ask(), ask()]);
    release();
    const [first, second] = await both;
    expect(first).toBe(second);
    expect(world.oracle.questions).toHaveLength(1);
  });

  it('is asked again after a failure', async () => {
    const { world, ask } = await asking();
    world.oracle.fail();
    await expect(ask()).rejects.toMatchObject({ code: 'ORACLE_UNAVAILABLE' });
    world.oracle.answer('NO');
    await ask();
    expect(world.oracle.questions).toHaveLength(2);
  });

  it('is another one with other criteria, and as the question of a market', async () => {
    const { world, ask } = await asking();
    const marketId = await world.open('Will it rain?');
    await ask();
    await ask({ resolutionCriteria: 'Look out of the window.' });
    await ask({ marketId, question: null });
    expect(world.oracle.questions).toHaveLength(3);
  });

  it('is asked again after the clock was set back', async () => {
    const { world, ask } = await asking();
    await ask();
    world.clock.advance(-MINUTE);
    await ask();
    expect(world.oracle.questions).toHaveLength(2);
  });

  it('pushes the oldest of 1,000 known questions out', async () => {
    const { world, ask } = await asking();
    await ask();
    for (let number = 1; number <= 1_000; number += 1)
      await ask({ question: `Will it rain ${number} times?` });
    await ask({ question: 'Will it rain 1000 times?' });
    expect(world.oracle.questions).toHaveLength(1_001);
    await ask();
    expect(world.oracle.questions).toHaveLength(1_002);
  });
});

it('a paid answer and a round of the same market are asked apart', async () => {
  const { world, id } = await closedMarket();
  const asked = (): number => world.oracle.questions.length;
  const before = asked();
  await askQuestion(world.context, { marketId: id, question: null, resolutionCriteria: null });
  expect(asked()).toBe(before + 1);
  world.oracle.answer('YES');
  world.clock.advance(10 * MINUTE);
  await runDueMarkets(world.context);
  expect(asked()).toBe(before + 2);
});
