import type { Payout } from '../../../src/ports/payout';
import { processWithdrawals } from '../../../src/usecases/withdrawals/process-withdrawals';
import { newWithdrawalMemory } from '../../../src/usecases/withdrawals/withdrawal-memory';
import { USD, withdrawalWorld } from './world';

const TEN_MINUTES_MS = 600_000;
const POLL_MS = 5_000;

/** The checks of withdrawals 1 and 2 always return `pending`, and each check takes `seconds`. */
async function beside(seconds: number) {
  const world = await withdrawalWorld();
  const { payout } = world.outside;
  let failsOnce = false;
  const slow: Payout = {
    ...payout,
    async check(state) {
      world.clock.advance(seconds * 1_000);
      if (/withdrawal [12]$/.test(state)) return { status: 'pending' };
      if (!failsOnce) return payout.check(state);
      failsOnce = false;
      throw new Error('the node did not answer once');
    },
  };
  const memory = newWithdrawalMemory();
  const run = () => processWithdrawals({ ...world.withPayout, payout: slow }, { owner: 'worker', memory });
  for (const amount of [10n, 20n]) await world.request(amount * USD);
  await run();
  return {
    world,
    run,
    failNextCheck: () => void (failsOnce = true),
    async untilConfirmed(id: number): Promise<number> {
      const begun = world.clock.now();
      while ((await world.status(id)) !== 'confirmed' && world.clock.now() - begun < TEN_MINUTES_MS) {
        await run();
        world.clock.advance(POLL_MS);
      }
      return world.clock.now() - begun;
    },
  };
}

it.each([3, 11, 14, 18, 21, 40])('a new withdrawal is paid while each check takes %i s', async (seconds) => {
  const { world, untilConfirmed } = await beside(seconds);
  await world.request(30n * USD);
  expect(await untilConfirmed(3)).toBeLessThan(TEN_MINUTES_MS);
});

it.each([3, 11, 14, 18, 21, 40])(
  'a check that failed once is repeated while each takes %i s',
  async (seconds) => {
    const { world, run, failNextCheck, untilConfirmed } = await beside(seconds);
    await world.request(30n * USD);
    failNextCheck();
    for (let runs = 0; runs < 3 && (await world.status(3)) === 'pending'; runs += 1) await run();
    expect(await untilConfirmed(3)).toBeLessThan(TEN_MINUTES_MS);
  },
);
