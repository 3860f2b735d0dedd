import fc from 'fast-check';
import { onEachStorage } from '../../support/storages';
import { vote } from './judges';
import { expectTheRule, plans, type Plan } from './rounds-model';
import { HOUR } from './world';

const yes = [vote('YES'), vote('YES')];
const split = [vote('YES'), vote('NO')];
const DECIDING: Plan[] = [1, 2, 3, 4, 5].flatMap((transaction) =>
  [true, false].map((committed) => ({
    script: [split, yes, yes],
    deaths: [null, null, { transaction, committed }, { transaction, committed }],
    challengePeriodMs: transaction % 2 === 0 ? 0 : HOUR,
  })),
);

it('rounds of the oracle end as the rule says, whichever process dies at whichever transaction', async () => {
  await fc.assert(
    fc.asyncProperty(plans, (plan) => expectTheRule(plan)),
    { numRuns: 60 },
  );
});

onEachStorage('a round that decides', ({ create }) => {
  it.each(DECIDING)('is followed once after the deaths $deaths', async (plan) => {
    const home = await create();
    const storage = home.handle();
    try {
      await expectTheRule(plan, storage);
    } finally {
      await storage.close();
      await home.destroy();
    }
  });
});
