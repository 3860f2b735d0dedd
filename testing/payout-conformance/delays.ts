/** Payouts that are under way for some time. */
import type { PayoutProgress, PayoutState } from '../../src/ports/payout';
import { insteadOf, shown } from '../conformance/failure';
import { refuseIdle } from './idle-hooks';
import {
  checkNotTwice,
  checkOpen,
  checkPaid,
  checkReceived,
  ended,
  prepared,
  submitted,
  type PayoutSuite,
  type PayoutTest,
} from './suite';

export function delayTests({ describe, test }: PayoutSuite): void {
  describe('a payout that the service shows and that may still change', () => {
    const cited = ['ending', 'pending', 'proof', 'paid'] as const;
    test('is pending and ending, and is then confirmed', cited, provisionalTest);
  });

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
        await refuseIdle(t, 'stall', order, progress);
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
      // Both handles submit the older states too, because a process may have crashed before it stored the newest
      // one.
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

async function provisionalTest(t: PayoutTest): Promise<void> {
  const { payout, hooks, check } = t;
  const what = 'makes the service show submitted payouts as ones that may still change';
  if (!check.given('provisional', hooks.provisional, what)) return;
  const order = t.order();
  const states = [await prepared(t, order)];
  const newest = (): PayoutState => states.at(-1) as PayoutState;
  const unsent = await payout.check(newest()).catch(() => null);
  if (unsent?.status === 'pending')
    check.holds(
      unsent.ending !== true,
      insteadOf(`\`check\` of a state that was never submitted answered ${shown(unsent)}`, 'no `ending`'),
    );
  const settle = await hooks.provisional();
  await submitted(payout, newest());
  for (const one of [payout, await t.other()]) {
    let progress: PayoutProgress = { status: 'pending' };
    const label = '`check` of a payout that may still change, or `provisional` does nothing';
    const isEnding = await t.until(async () => {
      progress = await one.check(newest()).catch((): PayoutProgress => ({ status: 'pending' }));
      checkOpen(t, progress, label);
      if (progress.status === 'pending' && progress.ending === true) return true;
      if (progress.status === 'renewed') states.push(progress.state);
      await submitted(payout, newest());
      await checkNotTwice(t, order, progress);
      return false;
    });
    check.holds(isEnding, insteadOf(`${label}: ${shown(progress)}`, '"pending" with `ending: true`'));
  }
  await settle();
  await checkPaid(t, order, newest());
}
