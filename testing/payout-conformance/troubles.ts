import type { Payout, PayoutOrder, PayoutState } from '../../src/ports/payout';
import { insteadOf, shown } from '../conformance/failure';
import { withLaterMachineClock } from '../conformance/machine-clock';
import { refuseIdle, refuseIdleFund, submittedUnanswered } from './idle-hooks';
import { outstandingTests } from './outstanding';
import {
  checkOpen,
  checkPaid,
  checkReceived,
  ended,
  prepared,
  SENTENCE_OF,
  submitted,
  type PayoutSuite,
  type PayoutTest,
} from './suite';

const FRESH_BALANCE = 'Ask for the balance in every `prepare`, and remember none.';
const OR_REJECTS = ', or a rejection';
const MONTH_MS = 30 * 24 * 3_600_000;

export function refusalTests({ describe, test }: PayoutSuite): void {
  describe('what cannot be paid', () => {
    const treasury = 'returns the balance of the treasury';

    test('for want of money is put off, not refused', 'notNow', async (t) => {
      const { payout, hooks, check } = t;
      if (!check.given('treasury', hooks.treasury, treasury)) return;
      const order = t.order({ amount: (await hooks.treasury()) + 1n });
      check.equal(
        (await payout.prepare(order, [])).status,
        'unavailable',
        '`prepare` of an order of more than the treasury has',
      );
      await checkReceived(t, order, 0n, 'base units that the wallet has after `prepare`', 'sendsNothing');
    });

    test('depends on the balance of the moment', 'notNow', async (t) => {
      const { payout, hooks, check } = t;
      if (!check.given('treasury', hooks.treasury, treasury)) return;
      if (!check.given('fund', hooks.fund, 'gives the treasury more money')) return;
      const statusOf = async (order: PayoutOrder): Promise<string> =>
        (await payout.prepare(order, [])).status;
      const all = t.order({ amount: (await hooks.treasury()) + 1n });
      check.equal(await statusOf(all), 'unavailable', '`prepare` of an order of more than the treasury has');
      await hooks.fund(1n);
      // A service may limit the amount of a payout, so `refused` is allowed too. It may report a new balance with a
      // delay, so the check waits.
      if (!(await t.until(async () => ['prepared', 'refused'].includes(await statusOf(all))))) {
        await refuseIdleFund(t, all.amount);
        check.fail(
          insteadOf(
            '`prepare` puts an order of the whole balance off after the treasury has got the money',
            '"prepared"',
          ),
          FRESH_BALANCE,
        );
      }
      if ((await statusOf(all)) === 'refused') return;
      await checkPaid(t, all, await prepared(t, all));
      if (!(await t.until(async () => (await statusOf(t.order())) !== 'prepared')))
        check.fail(
          insteadOf(
            '`prepare` prepares an order after the treasury has paid its whole balance',
            '"unavailable"',
          ),
          FRESH_BALANCE,
        );
    });

    outstandingTests({ test });

    test('here is not prepared: another network, another token', 'elsewhere', async (t) => {
      if (t.received === null) return; // play money: the order's network and asset have no meaning
      const elsewhere = { network: 'eip155:999999937', asset: `0x${'5e'.repeat(20)}` };
      for (const [name, value] of Object.entries(elsewhere)) {
        const { status } = await t.payout.prepare(t.order({ [name]: value }), []);
        t.check.oneOf(
          status,
          ['refused', 'unavailable'],
          `\`prepare\` of an order with the ${name} ${value}`,
        );
      }
    });

    test('ever is refused', 'never', async (t) => {
      const { payout, hooks, check } = t;
      if (!check.given('unpayable', hooks.unpayable, 'an order that can never be paid')) return;
      const result = await payout.prepare(hooks.unpayable(), []);
      check.equal(
        result.status,
        'refused',
        `\`prepare\` of an order that can never be paid (${shown(result)})`,
      );
      const order = t.order();
      await checkPaid(t, order, await prepared(t, order));
    });
  });
}

export function endTests({ describe, test }: PayoutSuite): void {
  describe('a payout that has not happened', () => {
    test('and never can is lost, and is prepared again', ['lost', 'trouble', 'once'], async (t) => {
      const { hooks, check } = t;
      if (!check.given('overtake', hooks.overtake, 'makes the payout of a state impossible')) return;
      await checkNothingMoves(t, hooks.overtake, 'lost');
    });

    test('because it failed moves nothing any more', ['failed', 'trouble'], async (t) => {
      const { hooks, check } = t;
      if (!check.given('fail', hooks.fail, 'submits a state so that it fails permanently')) return;
      await checkNothingMoves(t, hooks.fail, 'failed');
    });
  });
}

/**
 * Checks payouts that can no longer be paid. They must end as lost or failed, or report a trouble, and their states
 * must move no money. A new state must pay the order, whether this process or another one prepares it.
 */
async function checkNothingMoves(
  t: PayoutTest,
  prevent: (state: PayoutState) => Promise<void>,
  sentence: 'lost' | 'failed',
): Promise<void> {
  for (const next of [t.payout, await t.other()]) await checkPreparedAgain(t, next, { prevent, sentence });
}

interface Prevention {
  prevent: (state: PayoutState) => Promise<void>;
  sentence: 'lost' | 'failed';
}

async function checkPreparedAgain(
  t: PayoutTest,
  next: Payout,
  { prevent, sentence }: Prevention,
): Promise<void> {
  const { payout, check } = t;
  const order: PayoutOrder = t.order();
  const state = await prepared(t, order);
  await prevent(state);
  const progress = await payout.check(state);
  await checkReceived(
    t,
    order,
    0n,
    `base units that the wallet has after the hook, when \`check\` says ${progress.status}`,
    sentence,
  );
  if (progress.status === 'pending') {
    if (progress.trouble === undefined) {
      await submitted(payout, state);
      const hook = sentence === 'lost' ? 'overtake' : 'fail';
      await refuseIdle(t, hook, order, await payout.check(state).catch(() => null));
      check
        .by('trouble')
        .fail(
          insteadOf(
            '`check` answered pending without a `trouble`, although the payout can never happen',
            `a \`trouble\`, or "${sentence}"`,
          ),
          'Answer `pending` with a `trouble`, in one line, if the payout may not end by itself.',
        );
    }
    return;
  }
  check.by(sentence).oneOf(progress.status, ['lost', 'failed'], '`check` of a payout that can never happen');
  for (const one of [payout, await t.other()]) await submitted(one, state);
  await checkReceived(
    t,
    order,
    0n,
    `base units that the wallet has after a \`submit\` of the state that was ${progress.status}`,
    sentence,
  );
  const again = await prepared({ payout: next, check }, order);
  await submitted(payout, again);
  await submitted(payout, state);
  const { progress: second } = await ended(t, again, { order });
  if (second.status === 'failed' || second.status === 'lost')
    check
      .by(sentence)
      .fail(
        `an order was ${progress.status} and was prepared again, and the second payout is ${second.status} too`,
        'Make a new key in every `prepare`: each preparation needs a new key, because a service does not pay the key of an ended payout again.',
      );
  await checkPaid(t, order, again);
  await submitted(payout, state);
  await checkReceived(
    t,
    order,
    order.amount,
    `base units that the wallet has after the ${progress.status} state and the new one`,
    sentence,
  );
}

export function outageTests({ describe, test }: PayoutSuite): void {
  describe('without what it depends on', () => {
    const cited = ['looks', 'notNow', 'sends', 'proof'] as const;
    test('nothing is prepared, sent or known', cited, async (t) => {
      const { payout, hooks, check } = t;
      const what = 'cuts the payout off from the services that it depends on';
      if (!check.given('cutOff', hooks.cutOff, what)) return;
      const [unsent, sent] = [t.order(), t.order()];
      const states = [await prepared(t, unsent)];
      states.push(await prepared(t, sent, states));
      for (const state of states.slice(1)) await submitted(payout, state);
      await hooks.cutOff();
      const { status } = await payout
        .prepare(t.order(), states)
        .catch((error: unknown) => ({ status: `it rejected with ${shown(error)}` }));
      if (status === 'prepared') {
        const [state] = states as [PayoutState];
        await submitted(payout, state);
        await refuseIdle(t, 'cutOff', unsent, await payout.check(state).catch(() => null));
      }
      const away = 'without the services';
      check
        .by('notNow')
        .holds(
          status === 'unavailable',
          insteadOf(`\`prepare\` ${away}: ${status}`, '"unavailable"'),
          'Catch the error of the service in `prepare`, and answer `unavailable`.',
        );
      await check.by('sends').rejects(payout.submit(states[0] as PayoutState), `\`submit\` ${away}`);
      for (const state of states) {
        const known = await payout.check(state).catch(() => null);
        if (known !== null) checkOpen(t, known, `\`check\` ${away}`, OR_REJECTS);
      }
      await checkReceived(t, unsent, 0n, 'base units that the wallet has, without the services', 'looks');
    });
  });

  describe('a payout that is not found', () => {
    test('is neither lost nor failed, and is paid once', ['proof', 'once'], async (t) => {
      const { payout, hooks, check } = t;
      const what = 'makes the service that the adapter asks know no payouts';
      if (!check.given('hide', hooks.hide, what)) return;
      const order = t.order();
      const state = await prepared(t, order);
      await submitted(payout, state);
      const { states } = await checkPaid(t, order, state);
      await hooks.hide();
      for (const one of [payout, await t.other()]) {
        const newest = states.at(-1) as PayoutState;
        // The adapter must not take the age of a payout as proof that the payout is lost.
        const { status } = await withLaterMachineClock(MONTH_MS, () =>
          one.check(newest).catch(() => ({ status: 'pending' }) as const),
        );
        check
          .by(SENTENCE_OF[status])
          .oneOf(
            status,
            ['pending', 'renewed', 'confirmed'],
            '`check` of a payout that was paid, of which the service knows nothing any more',
          );
        if (status === 'confirmed' && one !== payout)
          check.notChecked(
            'Let `hide` make the service know no payouts: another process, which has only the state, still confirms the payout.',
          );
        await submitted(one, newest);
      }
      await checkReceived(t, order, order.amount, 'base units that the wallet has in the end', 'once');
    });
  });

  describe('a submission whose answer is lost', () => {
    test('is found, and paid once', ['rejection', 'once', 'became'], async (t) => {
      const { payout, hooks, check } = t;
      if (!check.given('loseAnswer', hooks.loseAnswer, 'loses the answer to the next submission')) return;
      const order = t.order();
      const state = await prepared(t, order);
      await hooks.loseAnswer();
      await submittedUnanswered(t, state, order);
      const { states } = await checkPaid(t, order, state);
      for (const one of [payout, await t.other()]) for (const old of states) await submitted(one, old);
      await checkReceived(t, order, order.amount, 'base units that the wallet has in the end', 'once');
    });
  });
}
