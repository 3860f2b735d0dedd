import { createDueMarketsJob } from '../../../src/jobs/due-markets';
import { runDueMarkets } from '../../../src/usecases/resolution/run-due-markets';
import type { Context } from '../../../src/usecases/context';
import { scriptedJudges, vote, type ScriptedJudges } from './judges';
import { closedMarket, HOUR } from './world';

const MARKETS = 5;
const dear = [vote('YES'), vote('YES'), vote('YES')].map((each) => ({ ...each, costUsd: 0.5 }));
const running = new AbortController().signal;

/** A round of one of these closed markets has three voters and costs 1.50 USD. */
async function waitingMarkets(
  oracleBudget: Context['config']['oracleBudget'],
): Promise<{ context: Context; judges: ScriptedJudges }> {
  const { world } = await closedMarket();
  for (let made = 1; made < MARKETS; made += 1) await world.open(`Another one? ${made}`);
  world.clock.advance(HOUR);
  expect(await runDueMarkets(world.context, { roundLimit: 0 })).toMatchObject({ marketsLeased: MARKETS - 1 });
  const judges = scriptedJudges(world.storage, [dear]);
  const config = { ...world.context.config, oracleBudget };
  return { context: { ...world.context, oracle: judges, config }, judges };
}

async function runJob(context: Context, runs: number): Promise<void> {
  const job = createDueMarketsJob(context, () => undefined);
  for (let run = 0; run < runs; run += 1) {
    await job.run(running);
    await job.allRoundsEnded();
  }
}

it.each([
  ['calls', { calls: 6, costMicros: null }],
  ['USD', { calls: null, costMicros: 3_000_000n }],
])(
  'a budget of %s for two rounds begins two, also on an instance that has just started',
  async (_, budget) => {
    const { context, judges } = await waitingMarkets(budget);
    await runJob(context, MARKETS);
    expect(judges.asked).toHaveLength(2);
  },
);

it('one round at a time begins until its cost is known', async () => {
  const { context, judges } = await waitingMarkets({ calls: 1_000, costMicros: null });
  const job = createDueMarketsJob(context, () => undefined);
  await job.run(running);
  await job.run(running);
  await job.allRoundsEnded();
  expect(judges.asked).toHaveLength(1);
  await job.run(running);
  await job.allRoundsEnded();
  expect(judges.asked).toHaveLength(MARKETS);
});

it('without a budget all rounds begin', async () => {
  const { context, judges } = await waitingMarkets({ calls: null, costMicros: null });
  await runJob(context, 1);
  expect(judges.asked).toHaveLength(MARKETS);
});
