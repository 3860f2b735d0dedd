import fc from 'fast-check';
import {
  decideRound,
  DEFAULT_ROUND_RULES,
  NO_ROUNDS,
  type RoundDecision,
} from '../../../src/domain/oracle/rounds';
import { ORACLE_OUTCOMES, type Vote } from '../../../src/domain/oracle/vote';
import type { OperatorContext } from '../../../src/usecases/context';
import type { Storage } from '../../../src/ports/storage';
import { runDueMarkets } from '../../../src/usecases/resolution/run-due-markets';
import { away, scriptedJudges, untilDeath, vote, type Death } from './judges';
import { ALICE, BOB, closedMarket, HOUR, USD, type World } from './world';

export interface Plan {
  script: readonly (readonly Vote[])[];
  /**
   * Step n runs two processes at once, which die as entries n and n + 1 say. A process whose entry is `null` or missing
   * does not die.
   */
  deaths: (Death | null)[];
  challengePeriodMs: number;
}

const anyVote: fc.Arbitrary<Vote> = fc.oneof(
  { weight: 5, arbitrary: fc.constant(vote('YES')) },
  { weight: 2, arbitrary: fc.constant(vote('NO')) },
  { weight: 1, arbitrary: fc.constantFrom(...ORACLE_OUTCOMES).map((outcome) => vote(outcome)) },
  { weight: 1, arbitrary: fc.constantFrom(vote('YES', { confidence: 0.5 }), away) },
);
const anyRound = fc.oneof(
  fc.constantFrom([vote('YES'), vote('YES')], [vote('NO'), vote('NO')], [away, away]),
  fc.array(anyVote, { minLength: 2, maxLength: 2 }),
);
const anyDeath: fc.Arbitrary<Death | null> = fc.option(
  fc.record({ transaction: fc.integer({ min: 1, max: 6 }), committed: fc.boolean() }),
);

export const plans: fc.Arbitrary<Plan> = fc.record({
  script: fc.array(anyRound, { minLength: 1, maxLength: 10 }),
  deaths: fc.array(anyDeath, { maxLength: 12 }),
  challengePeriodMs: fc.constantFrom(0, HOUR),
});

/** Longer than every lease and every pause. */
const LONG_MS = 3 * HOUR;

export function ruled(script: readonly (readonly Vote[])[]): { decision: RoundDecision; rounds: number } {
  let history = NO_ROUNDS;
  for (const votes of script) {
    const result = decideRound(votes, history, DEFAULT_ROUND_RULES);
    history = result.history;
    if (result.decision.kind !== 'again') return { decision: result.decision, rounds: history.rounds };
  }
  return { decision: { kind: 'again' }, rounds: script.length };
}

export async function expectTheRule(
  { script, deaths, challengePeriodMs }: Plan,
  storage?: Storage,
): Promise<void> {
  const { world, id } = await closedMarket(storage);
  const judges = scriptedJudges(world.storage, script);
  const balances = { alice: await world.balance(ALICE), bob: await world.balance(BOB) };
  const process = (death: Death | null): OperatorContext => {
    const { context } = world.instance(untilDeath(world.storage, death));
    return { ...context, oracle: judges, config: { ...context.config, challengePeriodMs } };
  };
  const expected = ruled(script);
  const lives = [...deaths, ...script.map(() => null), null, null];
  for (let at = 0; at < lives.length; at += 1) {
    const pair = [process(lives[at] ?? null), process(lives[at + 1] ?? null)];
    await Promise.all(pair.map((context) => live(context)));
    world.clock.advance(LONG_MS);
  }
  const rounds = await world.storage.read((r) => r.resolutions.listRounds({ marketId: id, limit: 100 }));
  const decided = rounds.slice(0, expected.rounds);
  expect(decided.map(({ round }) => round)).toEqual(decided.map((_, index) => index + 1));
  expect(decided.map(({ votes }) => votes)).toEqual(script.slice(0, expected.rounds));
  expect(decided.map(({ status }) => status)).toEqual(decided.map(() => 'followed'));
  if (expected.decision.kind !== 'again') expect(rounds).toHaveLength(expected.rounds);
  await expectConsequences(world, id, expected.decision, balances);
}

async function live(context: OperatorContext): Promise<void> {
  for (let marketsLeased = 1; marketsLeased > 0;) {
    const run = await runDueMarkets(context).catch(() => null);
    await run?.allRoundsEnded;
    marketsLeased = run?.marketsLeased ?? 0;
  }
}

async function expectConsequences(
  world: World,
  id: number,
  decision: RoundDecision,
  before: { alice: bigint; bob: bigint },
): Promise<void> {
  const market = await world.market(id);
  const state = await world.storage.read((r) => r.resolutions.find(id));
  const paid = {
    alice: (await world.balance(ALICE)) - before.alice,
    bob: (await world.balance(BOB)) - before.bob,
  };
  if (decision.kind === 'decided') {
    expect(market).toMatchObject({ status: 'resolved', dueAt: null, pool: 0n });
    expect(market.resolution).toMatchObject({ outcome: decision.outcome, method: 'oracle' });
    const owed = decision.outcome === 'YES' ? { alice: 20n * USD, bob: 0n } : { alice: 0n, bob: 10n * USD };
    expect(paid).toEqual(owed);
    expect(state?.status).toBe('done');
  } else {
    expect(market).toMatchObject({ status: 'resolving', resolution: null });
    expect(paid).toEqual({ alice: 0n, bob: 0n });
    if (decision.kind === 'escalated') expect(state?.status).toBe('escalated');
    else expect(['waiting', 'stalled']).toContain(state?.status);
  }
  // Gives the facts their numbers, as the relay does in a running service.
  await world.storage.transaction((transaction) => transaction.events.sequence(1_000));
  const told = (await world.kinds(id)).filter((kind) => /market\.(escalated|resolved)$/.test(kind));
  expect(told).toHaveLength(decision.kind === 'again' ? 0 : 1);
  await world.expectCleanAudit();
}
