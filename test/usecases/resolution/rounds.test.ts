import type { ResolutionRound } from '../../../src/domain/oracle/resolution-state';
import type { Vote } from '../../../src/domain/oracle/vote';
import type { Storage } from '../../../src/ports/storage';
import {
  getMarketResolution,
  getResolutionEvidence,
  getResolutionProgress,
} from '../../../src/usecases/resolution/get-resolution';
import { listResolutions } from '../../../src/usecases/resolution/list-resolutions';
import { resolveMarket } from '../../../src/usecases/resolution/resolve-market';
import { retryResolution } from '../../../src/usecases/resolution/retry-resolution';
import { MARKET_LEASE_MS } from '../../../src/usecases/resolution/market-lease';
import { runDueMarkets } from '../../../src/usecases/resolution/run-due-markets';
import type { OperatorContext } from '../../../src/usecases/context';
import { away, scriptedJudges, vote, type ScriptedJudges } from './judges';
import { closedMarket, HOUR, runUntilQuiet, USD, ALICE, type World } from './world';

const yes = [vote('YES'), vote('YES'), vote('YES')];
const split = [vote('YES'), vote('YES'), vote('NO')];
const early = [vote('TOO_EARLY'), vote('TOO_EARLY'), vote('TOO_EARLY')];
const outage = [away, away, away];
const LONGEST_PAUSE_MS = 1.1 * 120 * 60_000;

interface OracleCase {
  world: World;
  id: number;
  context: OperatorContext;
  judges: ScriptedJudges;
  rounds(): Promise<ResolutionRound[]>;
  run(rounds: number): Promise<void>;
}

async function oracleCase(
  script: readonly Vote[][],
  config: Partial<OperatorContext['config']> = {},
  storage?: Storage,
): Promise<OracleCase> {
  const { world, id } = await closedMarket(storage);
  const judges = scriptedJudges(world.storage, script);
  const context: OperatorContext = {
    ...world.context,
    oracle: judges,
    config: { ...world.context.config, ...config },
  };
  return {
    world,
    id,
    context,
    judges,
    rounds: () => world.storage.read((r) => r.resolutions.listRounds({ marketId: id, limit: 100 })),
    async run(rounds) {
      for (let round = 0; round < rounds; round += 1) {
        await runUntilQuiet(context);
        world.clock.advance(LONGEST_PAUSE_MS);
      }
    },
  };
}

describe('judges', () => {
  it('resolve a market when all of them agree, and the winners are paid once', async () => {
    const { world, id, context, run, rounds } = await oracleCase([yes]);
    await run(3);
    expect((await world.market(id)).resolution).toMatchObject({
      outcome: 'YES',
      method: 'oracle',
      oracleConsensus: 0.9,
    });
    expect(await world.balance(ALICE)).toBeGreaterThan(100n * USD);
    const [round, ...others] = await rounds();
    expect(others).toEqual([]);
    expect(round).toMatchObject({ round: 1, status: 'followed', votes: yes, calls: 3 });
    expect((await listResolutions(context, { status: null, limit: 10, offset: 0 })).total).toBe(0);
    await world.expectCleanAudit();
  });

  it('never decide by a majority: after eight splits the market goes to operators, and stays there', async () => {
    const { world, id, context, judges, run } = await oracleCase(Array.from({ length: 20 }, () => split));
    await run(20);
    expect(judges.asked).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(await world.market(id)).toMatchObject({ status: 'resolving', dueAt: null, resolution: null });
    expect((await world.kinds(id)).slice(4)).toEqual(['5 market.escalated']);
    const page = await listResolutions(context, { status: 'escalated', limit: 10, offset: 0 });
    expect(page).toMatchObject({ total: 1, resolutions: [{ marketId: id, round: 8, nextAttemptAt: null }] });
  });

  it('need two unanimous rounds after a split', async () => {
    const { world, id, judges, run } = await oracleCase([split, yes, yes]);
    await run(2);
    expect((await world.market(id)).resolution).toBeNull();
    await run(1);
    expect((await world.market(id)).resolution?.outcome).toBe('YES');
    expect(judges.asked).toEqual([1, 2, 3]);
  });

  it('wait while they are away or it is too early, and are stalled after eight such rounds', async () => {
    const script = Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? outage : early));
    const { world, id, context, run } = await oracleCase([...script, yes]);
    const statusOf = async () =>
      (await listResolutions(context, { status: null, limit: 10, offset: 0 })).resolutions[0]?.status;
    await run(7);
    expect(await statusOf()).toBe('waiting');
    await run(1);
    expect(await statusOf()).toBe('stalled');
    await run(5);
    expect((await world.market(id)).resolution?.outcome).toBe('YES');
  });

  it('of which there is one only propose: an operator decides', async () => {
    const { world, id, context, run } = await oracleCase([[vote('NO')]]);
    await run(2);
    expect(await getResolutionEvidence(context, { market: String(id) })).toMatchObject({
      status: 'escalated',
      proposal: { outcome: 'NO', payAt: null },
      rounds: [{ round: 1, votes: [{ outcome: 'NO' }], consensus: { outcome: 'NO', agreement: 1 } }],
    });
    expect((await world.market(id)).resolution).toBeNull();
  });

  it('keep the newest 50 rounds without an answer, and every other one', async () => {
    const script = [split, ...Array.from({ length: 70 }, () => outage)];
    const { run, rounds } = await oracleCase(script);
    await run(60);
    const numbers = (await rounds()).map(({ round }) => round);
    expect([numbers[0], numbers[1], numbers.length]).toEqual([1, 11, 51]);
  });
});

describe('a challenge period', () => {
  it('pays nothing before it is over, then what was proposed', async () => {
    const { world, id, context, run } = await oracleCase([yes], { challengePeriodMs: 3 * HOUR });
    await runUntilQuiet(context);
    const payAt = world.clock.now() + 3 * HOUR;
    expect(await world.market(id)).toMatchObject({ status: 'resolving', dueAt: payAt, awaitsOracle: false });
    expect((await world.kinds(id)).slice(4)).toEqual(['5 market.proposed']);
    world.clock.advance(3 * HOUR - 1);
    await runUntilQuiet(context);
    expect((await world.market(id)).resolution).toBeNull();
    expect(await getMarketResolution(context, { market: String(id) })).toMatchObject({
      status: 'resolving',
      outcome: null,
      method: null,
      proposal: { outcome: 'YES', payAt: new Date(payAt).toISOString() },
    });
    expect(await getResolutionProgress(context, { market: String(id) })).toMatchObject({
      ...{ status: 'proposed', round: 1, lastOutcome: 'YES' },
      nextAttemptAt: new Date(payAt).toISOString(),
    });
    await run(1);
    world.clock.advance(1);
    await runUntilQuiet(context);
    expect(await getResolutionProgress(context, { market: String(id) })).toBeNull();
    expect((await world.market(id)).resolution).toMatchObject({ outcome: 'YES', method: 'oracle' });
    await world.expectCleanAudit();
  });

  it('lets an operator decide otherwise: nothing was paid before, and nothing else is paid after', async () => {
    const { world, id, context, run } = await oracleCase([yes], { challengePeriodMs: 3 * HOUR });
    await runUntilQuiet(context);
    const before = await world.balance(ALICE);
    await resolveMarket(context, { market: String(id), outcome: 'NO', note: 'the source was wrong' });
    await run(5);
    expect(await world.balance(ALICE)).toBe(before);
    expect(await getMarketResolution(context, { market: String(id) })).toMatchObject({
      status: 'resolved',
      outcome: 'NO',
      method: 'operator',
      oracleConsensus: 1,
      note: 'the source was wrong',
      votes: [{ outcome: 'YES' }, { outcome: 'YES' }, { outcome: 'YES' }],
    });
    await world.expectCleanAudit();
  });
});

describe('a retry', () => {
  it('has the voters asked anew, counts from 0, and still wants two unanimous rounds after a split', async () => {
    const script = [...Array.from({ length: 8 }, () => split), yes, yes];
    const { world, id, context, judges, run } = await oracleCase(script);
    await run(8);
    const answer = await retryResolution(context, { market: String(id) });
    expect(answer).toMatchObject({ status: 'waiting' });
    expect(answer.rounds).toHaveLength(8);
    await run(1);
    expect((await world.market(id)).resolution).toBeNull();
    await run(1);
    expect(judges.asked).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect((await world.market(id)).resolution?.outcome).toBe('YES');
  });

  it('is refused for a market that does not wait for an operator', async () => {
    const { world, id, context } = await oracleCase([yes]);
    const retry = () => retryResolution(context, { market: String(id) });
    await expect(retry()).rejects.toMatchObject({ code: 'NOT_ESCALATED', status: 409 });
    await runUntilQuiet(context);
    await expect(retry()).rejects.toMatchObject({ code: 'NOT_ESCALATED' });
    const open = await world.open('Another one?');
    await expect(retryResolution(context, { market: String(open) })).rejects.toMatchObject({
      code: 'NOT_ESCALATED',
    });
  });
});

describe('the budget of an hour', () => {
  it('lets rounds wait while it is spent, closings and proposals not', async () => {
    const budget = { oracleBudget: { calls: 3, costMicros: null }, challengePeriodMs: 60_000 };
    const { world, id, context, judges } = await oracleCase([yes], budget);
    const other = await world.open('Another one?');
    await runUntilQuiet(context);
    expect(judges.asked).toEqual([1]);
    world.clock.advance(HOUR - 1);
    const third = await world.open('A third one?');
    await runUntilQuiet(context);
    expect((await world.market(id)).resolution?.outcome).toBe('YES');
    expect(judges.asked).toEqual([1]);
    world.clock.advance(1);
    await runUntilQuiet(context);
    expect((await world.market(other)).status).toBe('resolving');
    expect((await world.market(third)).status).toBe('open');
    expect(context.alarms.list()).toMatchObject([{ name: 'oracle-budget' }]);
    world.clock.advance(1);
    await runUntilQuiet(context);
    expect(judges.asked).toEqual([1, 1]);
  });

  it('counts USD as voters report them', async () => {
    const dear = yes.map((each) => ({ ...each, costUsd: 0.5 }));
    const { world, id, context, judges, rounds } = await oracleCase(
      [split.map((each) => ({ ...each, costUsd: 0.5 })), dear, dear],
      {
        oracleBudget: { calls: null, costMicros: 1_500_000n },
      },
    );
    await runUntilQuiet(context);
    expect((await rounds())[0]).toMatchObject({ calls: 3, costMicros: 1_500_000n });
    world.clock.advance(HOUR / 2);
    await runUntilQuiet(context);
    expect(judges.asked).toEqual([1]);
    world.clock.advance(HOUR / 2 + 1);
    await runUntilQuiet(context);
    expect(judges.asked).toEqual([1, 2]);
    expect((await world.market(id)).resolution).toBeNull();
  });
});

describe('rounds in flight', () => {
  it('begin only where there is a place; closings and payouts need none', async () => {
    const { world, id } = await closedMarket();
    const other = await world.open('Another one?');
    world.clock.advance(HOUR);
    expect(await runDueMarkets(world.context, { roundLimit: 0 })).toMatchObject({
      marketsLeased: 1,
      roundsBegun: 0,
    });
    expect((await world.market(other)).status).toBe('resolving');
    expect(world.oracle.questions).toEqual([]);
    world.oracle.answer('YES');
    const { allRoundsEnded, roundsBegun } = await runDueMarkets(world.context, { roundLimit: 1 });
    await allRoundsEnded;
    expect(roundsBegun).toBe(1);
    expect((await world.market(id)).status).toBe('resolved');
  });

  it('are told to the host, which may fail', async () => {
    const { context, id, world } = await oracleCase([yes]);
    const told: unknown[] = [];
    const onOracleRound = (round: unknown): void => {
      told.push(round);
      throw new Error('no metrics');
    };
    await runUntilQuiet({ ...context, onOracleRound });
    expect(told).toEqual([{ marketId: id, round: 1, finding: 'unanimous', decision: 'decided', votes: yes }]);
    expect(world.logged).toEqual(['onOracleRound failed']);
    expect((await world.market(id)).status).toBe('resolved');
  });

  it('take a market over that an instance left while it asked, under the same number', async () => {
    const { world, id, context, judges, rounds } = await oracleCase([yes]);
    const dead = world.instance();
    dead.oracle.hold();
    await runDueMarkets(dead.context, { oracleTimeLimit: () => new AbortController().signal });
    await dead.asked();
    expect(await rounds()).toMatchObject([{ round: 1, status: 'asking' }]);
    world.clock.advance(90_000 + MARKET_LEASE_MS);
    await runUntilQuiet(context);
    expect(judges.asked).toEqual([1]);
    expect(await rounds()).toMatchObject([{ round: 1, status: 'followed', calls: 4 }]);
    expect((await world.market(id)).status).toBe('resolved');
  });
});
