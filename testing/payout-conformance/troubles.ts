import type { Payout, PayoutOrder, PayoutState } from '../../src/ports/payout';
import { shown } from '../conformance/failure';
import { withLaterMachineClock } from '../conformance/machine-clock';
import { submittedUnanswered } from './idle-hooks';
import { outstandingTests } from './outstanding';
import {
  checkOpen,
  checkPaid,
  checkReceived,
  ended,
  prepared,
  submitted,
  type PayoutSuite,
  type PayoutTest,
} from './suite';

const MONTH_MS = 30 * 24 * 3_600_000;

export function refusalTests({ describe, test }: PayoutSuite): void {
  describe('what cannot be paid', () => {
    const treasury = 'returns the balance of the treasury';

    test('for want of money is put off, not refused', 'notNow', async (t) => {
      const { payout, hooks, check } = t;
      if (!check.given('treasury', hooks.treasury, treasury)) return;
      const order = t.order({ amount: (await hooks.treasury()) + 1n });
      check.equal((await payout.prepare(order, [])).status, 'unavailable', 'prepared');
      await checkReceived(t, order, 0n, 'received', 'sendsNothing');
    });

    test('depends on the balance of the moment', 'notNow', async (t) => {
      const { payout, hooks, check } = t;
      if (!check.given('treasury', hooks.treasury, treasury)) return;
      if (!check.given('fund', hooks.fund, 'gives the treasury more money')) return;
      const statusOf = async (order: PayoutOrder): Promise<string> =>
        (await payout.prepare(order, [])).status;
      const all = t.order({ amount: (await hooks.treasury()) + 1n });
      check.equal(await statusOf(all), 'unavailable', 'prepared');
      await hooks.fund(1n);
      // A service may have a largest payout, and it may tell a balance with a delay.
      if (!(await t.until(async () => ['prepared', 'refused'].includes(await statusOf(all)))))
        check.fail('an order of the whole balance was still put off after the treasury had got the money');
      if ((await statusOf(all)) === 'refused') return;
      await checkPaid(t, all, await prepared(t, all));
      if (!(await t.until(async () => (await statusOf(t.order())) !== 'prepared')))
        check.fail('an order was prepared after the treasury had paid its whole balance');
    });

    outstandingTests({ test });

    test('here is not prepared: another network, another token', 'elsewhere', async (t) => {
      if (t.received === null) return; // play money is the same everywhere
      const elsewhere = { network: 'eip155:999999937', asset: `0x${'5e'.repeat(20)}` };
      for (const [name, value] of Object.entries(elsewhere)) {
        const { status } = await t.payout.prepare(t.order({ [name]: value }), []);
        t.check.oneOf(status, ['refused', 'unavailable'], `prepared with the ${name} ${value}`);
      }
    });

    test('ever is refused', 'never', async (t) => {
      const { payout, hooks, check } = t;
      if (!check.given('unpayable', hooks.unpayable, 'an order that can never be paid')) return;
      const result = await payout.prepare(hooks.unpayable(), []);
      check.equal(result.status, 'refused', `prepared: ${JSON.stringify(result)}`);
      const order = t.order();
      await checkPaid(t, order, await prepared(t, order));
    });
  });
}

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
        checkOpen(t, progress, 'checked while it was under way');
        if (progress.status === 'renewed') states.push(progress.state);
      }
      await checkReceived(t, order, 0n, 'received while it was under way', 'pending');
      // Both handles submit the older offers too, because a process may have crashed before it stored the
      // newest offer.
      const handles = [payout, await t.other()];
      for (const one of handles) for (const state of states) await submitted(one, state);
      await release();
      await checkPaid(t, order, states.at(-1) as PayoutState, { twice: 'exclude' });
      for (const one of handles) for (const state of states) await submitted(one, state);
      await ended(t, states.at(-1) as PayoutState, { order, twice: 'exclude' });
      await checkReceived(t, order, order.amount, `received by ${states.length} offers`, 'exclude');
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
  await checkPreparedAgain(t, t.payout, { prevent, sentence });
  await checkPreparedAgain(t, await t.other(), { prevent, sentence });
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
  await checkReceived(t, order, 0n, `received when it is ${progress.status}`, sentence);
  if (progress.status === 'pending') {
    if (progress.trouble === undefined)
      check
        .by('trouble')
        .fail('`check` answered pending without a `trouble`, although the payout can never end');
    return;
  }
  check.by(sentence).oneOf(progress.status, ['lost', 'failed'], 'what became of it');
  for (const one of [payout, await t.other()]) await submitted(one, state);
  await checkReceived(t, order, 0n, `received by what is ${progress.status}`, sentence);
  const again = await prepared({ payout: next, check }, order);
  await submitted(payout, again);
  await submitted(payout, state);
  const { progress: second } = await ended(t, again, { order });
  if (second.status === 'failed' || second.status === 'lost')
    check
      .by(sentence)
      .fail(
        `an order was ${progress.status} and was prepared again, and the second payout is ${second.status} too: ` +
          'each preparation needs a new key, because a service does not pay the key of an ended payout again',
      );
  await checkPaid(t, order, again);
  await submitted(payout, state);
  await checkReceived(t, order, order.amount, 'received by both together', sentence);
}

/** States that the adapter under test has not made. */
const FOREIGN_STATES: readonly PayoutState[] = [
  'payout-000017 of another adapter',
  '{"transferId":"another adapter","amount":"1000000000000000000"}',
  `another:0x${'5e'.repeat(32)}`,
  'null',
  '[]',
  '{}',
  '17',
  '',
];

/**
 * States of another adapter that have one field name in common with a state of this adapter. An adapter whose states
 * have one field only may recognise them by its name.
 */
function lookalikesOf(own: PayoutState): PayoutState[] {
  const fields = fieldsOf(own);
  if (fields.length < 2) return [];
  return fields.map(([name, value]) =>
    JSON.stringify({ [name]: typeof value === 'number' ? value + 1 : 'another adapter' }),
  );
}

function fieldsOf(state: PayoutState): [name: string, value: unknown][] {
  try {
    const parsed: unknown = JSON.parse(state);
    return typeof parsed === 'object' && parsed !== null ? Object.entries(parsed) : [];
  } catch {
    return [];
  }
}

export function foreignTests({ describe, test }: PayoutSuite): void {
  describe('payouts that another adapter has prepared', () => {
    test('keep no other payout waiting', ['keeps', 'foreign'], async (t) => {
      const order = t.order();
      const many = Array.from({ length: 100 }, (_, index) => `${FOREIGN_STATES[index % 3]} ${index}`);
      const result = await t.payout.prepare(order, [...FOREIGN_STATES, ...many]);
      if (result.status !== 'prepared') t.check.by('keeps').fail(`prepared: ${JSON.stringify(result)}`);
      else await checkPaid(t, order, result.state);
    });

    test('stay as they are, and are told', 'notOurs', async (t) => {
      const { payout, check } = t;
      for (const state of [...FOREIGN_STATES, ...lookalikesOf(await prepared(t, t.order()))]) {
        await submitted(payout, state);
        const progress = await payout.check(state);
        check.by('notOurs').equal(progress.status, 'pending', `checked: the state ${shown(state)}`);
        if (progress.status !== 'pending') continue;
        check.by('notOurs').equal(progress.trouble !== undefined, true, 'whether it has a trouble');
        check.by('notOurs').equal(progress.unknown, true, '`unknown` of the progress');
      }
    });
  });
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
        .catch((error: unknown) => ({ status: `\`prepare\` rejected with ${shown(error)}` }));
      check.by('notNow').equal(status, 'unavailable', 'prepared');
      await check.by('sends').rejects(payout.submit(states[0] as PayoutState), 'submitted');
      for (const state of states) {
        const known = await payout.check(state).catch(() => null);
        if (known !== null) checkOpen(t, known, 'checked');
      }
      await checkReceived(t, unsent, 0n, 'received', 'looks');
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
        // The age of a payout is no proof either.
        const { status } = await withLaterMachineClock(MONTH_MS, () =>
          one.check(newest).catch(() => ({ status: 'pending' })),
        );
        check.oneOf(status, ['pending', 'renewed', 'confirmed'], 'a payout that was paid and is not found');
        if (status === 'confirmed' && one !== payout)
          check.notChecked(
            'Let `hide` make the service know no payouts: another process, which has only the state, still confirms the payout.',
          );
        await submitted(one, newest);
      }
      await checkReceived(t, order, order.amount, 'received', 'once');
    });
  });

  describe('a submission whose answer is lost', () => {
    test('is found, and paid once', ['rejection', 'once', 'became'], async (t) => {
      const { payout, hooks, check } = t;
      if (!check.given('loseAnswer', hooks.loseAnswer, 'loses the answer to the next submission')) return;
      const order = t.order();
      const state = await prepared(t, order);
      await hooks.loseAnswer();
      await submittedUnanswered(t, state);
      const { states } = await checkPaid(t, order, state);
      for (const one of [payout, await t.other()]) for (const old of states) await submitted(one, old);
      await checkReceived(t, order, order.amount, 'received', 'once');
    });
  });
}
