import { manualOracle } from '../../../adapters/oracle/manual';
import { checksumAddress } from '../../../src/crypto/address';
import type { OracleAnswer, OracleQuestion } from '../../../src/ports/oracle';
import { runDueMarkets } from '../../../src/usecases/resolution/run-due-markets';
import { closedMarket, CREATOR, createWorld, HOUR, runUntilQuiet, tradedMarket, type World } from './world';

const MINUTE = 60_000;

/** Milliseconds until the next round. */
async function pauseOf(world: World, id: number): Promise<number> {
  return ((await world.market(id)).dueAt ?? 0) - world.clock.now();
}

describe('a run over due markets', () => {
  it('leaves a market alone until its resolve date, closes it then, and not twice', async () => {
    const { world, id } = await tradedMarket();
    world.clock.advance(HOUR - 1);
    expect((await runDueMarkets(world.context)).marketsLeased).toBe(0);
    world.clock.advance(1);
    const due = await runDueMarkets(world.context);
    expect(due.marketsLeased).toBe(1);
    expect(world.oracle.questions).toEqual([]);
    expect(await world.market(id)).toMatchObject({ status: 'resolving', marketSeq: 4 });
    expect(Object.keys(await world.statuses())).toEqual(['resolving']);
    expect(await world.kinds(id)).toEqual(['1 market.created', '2 trade', '3 trade', '4 market.resolving']);
    expect(await runUntilQuiet(world.context)).toBe(1);
    await world.expectCleanAudit();
  });

  it('resolves by what the oracle says, and stores its confidence', async () => {
    const { world, id } = await closedMarket();
    world.oracle.answer('YES', { confidence: 0.93 });
    expect(await runUntilQuiet(world.context)).toBe(1);
    expect(world.oracle.questions).toEqual([
      {
        question: 'Will it rain?',
        resolutionCriteria: 'Look out of the window.',
        description: null,
        resolveDate: '2030-01-01T01:00:00.000Z',
        asOf: '2030-01-01T01:00:00.000Z',
        marketId: 1,
        tickerId: 'PM-0001',
        slug: 'will-it-rain',
        category: 'science',
        creator: checksumAddress(CREATOR),
      },
    ]);
    const market = await world.market(id);
    expect(market).toMatchObject({ status: 'resolved', marketSeq: 5, dueAt: null, pool: 0n });
    expect(market.resolution).toEqual({
      outcome: 'YES',
      resolvedAt: world.clock.now(),
      oracleConsensus: 0.93,
      method: 'oracle',
      note: null,
    });
    expect(await world.statuses()).toEqual({ resolved: { markets: 1, exposure: 0n } });
    await world.expectCleanAudit();
  });

  it('takes one batch of many due markets', async () => {
    const world = await createWorld();
    for (let made = 0; made < 40; made += 1) await world.open(`Question ${made}?`);
    world.clock.advance(HOUR);
    expect((await runDueMarkets(world.context)).marketsLeased).toBe(32);
    world.oracle.answer('NO');
    await runUntilQuiet(world.context);
    expect(await world.statuses()).toEqual({ resolved: { markets: 40, exposure: 0n } });
  });
});

describe('an oracle that does not decide', () => {
  it.each(['UNKNOWN', 'TOO_EARLY', 'AMBIGUOUS'] as const)('is asked again after %s', async (outcome) => {
    const { world, id } = await closedMarket();
    world.oracle.answer(outcome);
    await runUntilQuiet(world.context);
    expect(await world.market(id)).toMatchObject({ status: 'resolving', oracleAttempts: 1 });
    world.oracle.answer('NO');
    const pause = await pauseOf(world, id);
    world.clock.advance(pause - 1);
    expect(await runUntilQuiet(world.context)).toBe(0);
    world.clock.advance(1);
    await runUntilQuiet(world.context);
    expect((await world.market(id)).resolution?.outcome).toBe('NO');
  });

  it('may be the manual one, which leaves the decision to operators', async () => {
    const { world, id } = await closedMarket();
    await runUntilQuiet({ ...world.context, oracle: manualOracle() });
    expect(await world.market(id)).toMatchObject({ status: 'resolving', oracleAttempts: 1 });
    expect(world.logged).toEqual([]);
  });

  it('is asked in two minutes at first, then in twice as long, at last every two hours', async () => {
    const { world, id } = await closedMarket();
    for (const minutes of [2, 4, 8, 16, 32, 64, 120, 120, 120]) {
      await runUntilQuiet(world.context);
      const pause = await pauseOf(world, id);
      expect(pause).toBeGreaterThanOrEqual(0.9 * minutes * MINUTE);
      expect(pause).toBeLessThanOrEqual(1.1 * minutes * MINUTE);
      world.clock.advance(pause);
    }
  });

  it.each([
    ['without a probability', { outcome: 'YES', confidence: 1 }],
    ['with a probability that contradicts it', { outcome: 'YES', probability: 0.3, confidence: 1 }],
    ['in lower case', { outcome: 'yes', probability: 1, confidence: 1 }],
  ])('pays nothing by an answer %s, which is logged as a failure', async (_, answer) => {
    const { world, id } = await closedMarket();
    await runUntilQuiet({
      ...world.context,
      oracle: { name: 'careless', ask: async () => answer as OracleAnswer },
    });
    expect(await world.market(id)).toMatchObject({ status: 'resolving', oracleAttempts: 1 });
    expect(world.logged).toEqual(['a vote of the oracle cannot be used']);
  });

  it('abstains by a YES or NO of too little confidence, resolves nothing and is asked again', async () => {
    const { world, id } = await closedMarket();
    world.oracle.answer('YES', { confidence: 0.79 });
    await runUntilQuiet(world.context);
    expect(await world.market(id)).toMatchObject({ status: 'resolving', oracleAttempts: 1 });
    expect(world.logged).toEqual(['a vote is not confident enough']);
    world.oracle.answer('YES', { confidence: 0.8 });
    world.clock.advance(await pauseOf(world, id));
    await runUntilQuiet(world.context);
    expect((await world.market(id)).resolution).toMatchObject({ outcome: 'YES', oracleConsensus: 0.8 });
  });

  it('asks for as much confidence as the option says', async () => {
    const { world, id } = await closedMarket();
    world.oracle.answer('NO', { confidence: 0.5 });
    const { config: usual } = world.context;
    const config = { ...usual, roundRules: { ...usual.roundRules, minConfidence: 0.5 } };
    await runUntilQuiet({ ...world.context, config });
    expect((await world.market(id)).resolution?.outcome).toBe('NO');
  });

  it('does not hold up other markets when it fails, and the failure is logged', async () => {
    const { world, id } = await closedMarket();
    const other = await world.open('Another one?');
    world.clock.advance(HOUR);
    world.oracle.answer('NO');
    const oracle = {
      name: 'moody',
      ask: async (question: OracleQuestion) =>
        question.question === 'Another one?' ? world.oracle.ask(question) : raise(new Error('not today')),
    };
    await runUntilQuiet({ ...world.context, oracle });
    expect(world.logged).toEqual(['the oracle did not answer']);
    expect(await world.market(id)).toMatchObject({ status: 'resolving', oracleAttempts: 1 });
    expect(await world.market(other)).toMatchObject({ status: 'resolved' });
  });

  it.each([
    ['throws before it returns a promise', { name: 'rude', ask: () => raise(new Error('rude')) }],
    ['answers nothing', { name: 'mute', ask: async () => undefined as never }],
  ])('does not hold up other markets when it %s', async (_, oracle) => {
    const { world, id } = await closedMarket();
    await runUntilQuiet({ ...world.context, oracle });
    expect(await world.market(id)).toMatchObject({ status: 'resolving', oracleAttempts: 1 });
  });

  it.each([Number.NaN, -0.1, 1.1])('is not believed with a confidence of %s', async (confidence) => {
    const { world, id } = await closedMarket();
    const ask = async () => ({ outcome: 'YES' as const, probability: 1, confidence });
    await runUntilQuiet({ ...world.context, oracle: { name: 'wrong', ask } });
    expect(await world.market(id)).toMatchObject({ status: 'resolving', oracleAttempts: 1 });
  });

  it('is not waited for beyond the time limit', async () => {
    const { world, id } = await closedMarket();
    world.oracle.hold();
    const limit = new AbortController();
    const { allRoundsEnded } = await runDueMarkets(world.context, { oracleTimeLimit: () => limit.signal });
    limit.abort();
    await allRoundsEnded;
    expect(await world.market(id)).toMatchObject({ status: 'resolving', oracleAttempts: 1 });
  });

  it('holds up neither closings nor payouts', async () => {
    const { world, id } = await closedMarket();
    world.oracle.hold();
    const run = await runDueMarkets(world.context, { oracleTimeLimit: () => new AbortController().signal });
    expect(run).toMatchObject({ marketsLeased: 1, roundsBegun: 1 });
    const other = await world.open('Another one?');
    world.clock.advance(HOUR);
    await runDueMarkets(world.instance().context);
    expect((await world.market(other)).status).toBe('resolving');
    expect((await world.market(id)).status).toBe('resolving');
  });
});

function raise(error: Error): never {
  throw error;
}
