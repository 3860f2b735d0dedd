/** Payouts that are under way for some time. */
import type { PayoutState } from '../../src/ports/payout';
import { checkOpen, checkPaid, checkReceived, ended, prepared, submitted, type PayoutSuite } from './suite';

export function delayTests({ describe, test }: PayoutSuite): void {
  describe('a payout that takes long', () => {
    const cited = ['exclude', 'renewed', 'pending', 'proof'] as const;
    test('is pending or offered anew, and paid once', cited, async (t) => {
      const { payout, hooks, check } = t;
      if (!check.given('stall', hooks.stall, 'keeps submitted payouts under way')) return;
      const order = t.order();
      const release = await hooks.stall();
      const states = [await prepared(t, order)];
      for (let lap = 0; lap < 3; lap += 1) {
        const newest = states.at(-1) as PayoutState;
        await submitted(payout, newest);
        const progress = await payout.check(newest);
        checkOpen(t, progress, '`check` of a payout that is under way');
        if (progress.status === 'renewed') states.push(progress.state);
      }
      await checkReceived(
        t,
        order,
        0n,
        'base units that the wallet has while `stall` keeps the payout under way',
        'pending',
      );
      // Both handles submit the older offers too, because a process may have crashed before it stored the
      // newest offer.
      const handles = [payout, await t.other()];
      for (const one of handles) for (const state of states) await submitted(one, state);
      await release();
      await checkPaid(t, order, states.at(-1) as PayoutState, { twice: 'exclude' });
      for (const one of handles) for (const state of states) await submitted(one, state);
      await ended(t, states.at(-1) as PayoutState, { order, twice: 'exclude' });
      await checkReceived(
        t,
        order,
        order.amount,
        `base units that the wallet has after all ${states.length} states of the payout were submitted`,
        'exclude',
      );
    });
  });
}
