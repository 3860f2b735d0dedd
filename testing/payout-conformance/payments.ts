import type { PayoutOrder, PayoutState } from '../../src/ports/payout';
import { shown } from '../conformance/failure';
import { withStoppedMachineClock } from '../conformance/machine-clock';
import { tellsSecret } from '../conformance/secrets';
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

const MOST_UNDER_WAY = 40;
/** Amounts below 1 USD with zeros behind the decimal point. */
const SMALL_AMOUNTS = [50_000n, 1n];

/** The smallest amount that no `number` of JavaScript holds. */
export const BEYOND_NUMBERS = 2n ** 53n + 1n;

export function paymentTests(suite: PayoutSuite): void {
  suite.describe('a payout', () => {
    // This test runs first, because it finds payouts that are paid twice.
    suite.test('is paid once when it is submitted twice', ['once', 'order'], async (t) => {
      const order = t.order();
      const state = await prepared(t, order);
      for (const _time of ['first', 'second']) await submitted(t.payout, state);
      await checkPaid(t, order, state);
      await submitted(t.payout, state);
      await checkReceived(t, order, order.amount, 'received after a further submission', 'once');
    });
    unsentPayoutTests(suite);
    sentPayoutTests(suite);
    severalPayoutTests(suite);
  });
}

function unsentPayoutTests({ test }: PayoutSuite): void {
  test('comes with the hooks that show what was paid', ['became', 'once'], async ({ hooks, check }) => {
    check.given('received', hooks.received, 'returns what the wallet of an order has received');
    check.by('once').given('another', hooks.another, 'a second payout on the same treasury');
  });

  test('tells no secret', 'secret', async ({ payout, hooks, check }) => {
    // The other tests look for these secrets in every answer and every error.
    if (!check.given('secrets', hooks.secrets, 'lists the texts that no answer may contain')) return;
    check.equal(tellsSecret(payout.name, hooks.secrets), false, 'whether the name contains a secret');
  });

  test('has a name, and takes one or more at a time', 'atOnce', async ({ payout, check }) => {
    check.equal(payout.name.length > 0, true, 'it has a name');
    check.by('secret').equal(/[\r\n]/.test(payout.name), false, 'whether the name has several lines');
    const { atOnce = 1 } = payout;
    if (!Number.isInteger(atOnce) || atOnce < 1) check.fail(`atOnce: ${atOnce}`);
  });

  test('sends nothing when it is prepared', ['sendsNothing', 'order'], async (t) => {
    const order = t.order();
    await prepared(t, order);
    await checkReceived(t, order, 0n, 'received', 'sendsNothing');
  });

  test('sends nothing when it is checked', ['looks', 'proof', 'pending'], async (t) => {
    const order = t.order();
    const state = await prepared(t, order);
    for (let look = 0; look < 3; look += 1) {
      const progress = await t.payout
        .check(state)
        .catch((error: unknown) =>
          t.check
            .by('proof')
            .fail(`\`check\` of a state that was never submitted rejected with ${shown(error)}`),
        );
      if (t.received !== null) checkOpen(t, progress, 'a state that was never submitted');
    }
    await checkReceived(t, order, 0n, 'received', 'looks');
    await submitted(t.payout, state);
    await checkPaid(t, order, state);
  });
}

function sentPayoutTests({ test }: PayoutSuite): void {
  test('pays what was ordered, and says so', ['sends', 'became'], async (t) => {
    const order = t.order();
    const state = await prepared(t, order);
    await t.payout.submit(state);
    await checkPaid(t, order, state);
  });

  test('pays the very amount, to the last base unit', ['sends', 'became'], async (t) => {
    const { fund } = t.hooks;
    for (const amount of [t.order().amount - 1n, ...SMALL_AMOUNTS]) {
      // The treasury must have enough for an adapter that pays ten times the amount by mistake.
      if (typeof fund === 'function') await fund(10n * amount);
      const order = t.order({ amount });
      const { status } = await t.payout.prepare(order, []);
      // Some services pay whole cents only, or no small amounts. They may refuse the order, but must not pay another
      // amount. Without `fund` the treasury may be too small.
      if (status === 'refused' || (status === 'unavailable' && typeof fund !== 'function')) continue;
      await checkPaid(t, order, await prepared(t, order), { twice: 'became' });
    }
  });

  test('pays an amount that no number of JavaScript holds', ['sends', 'became'], async (t) => {
    const { hooks, check } = t;
    if (!check.given('fund', hooks.fund, 'gives the treasury more money')) return;
    await hooks.fund(BEYOND_NUMBERS);
    const order = t.order({ amount: BEYOND_NUMBERS });
    const result = await t.payout.prepare(order, []);
    // A service may have a largest payout. It may refuse the order, but must not pay another amount.
    if (result.status === 'refused') return;
    await checkPaid(t, order, await prepared(t, order), { twice: 'became' });
  });

  test('pays once, however often and by whichever process it is submitted', ['once', 'order'], async (t) => {
    const order = t.order();
    const state = await prepared(t, order);
    const handles = [t.payout, await t.other(), await t.other()];
    await Promise.all(handles.flatMap((one) => [submitted(one, state), submitted(one, state)]));
    const { states } = await checkPaid(t, order, state);
    for (const one of handles) for (const old of states) await submitted(one, old);
    await ended(t, state, { order });
    await checkReceived(t, order, order.amount, 'received after more submissions', 'once');
  });

  test('that was prepared before a crash is sent by the next process', ['state', 'order'], async (t) => {
    const order = t.order();
    const state = await prepared(t, order);
    const next = await t.other();
    await submitted(next, state);
    await checkPaid(t, order, state, { payout: next });
  });

  test('that was sent before a crash is followed by the next process', ['state', 'became'], async (t) => {
    const order = t.order();
    const state = await prepared(t, order);
    await t.payout.submit(state);
    await checkPaid(t, order, state, { payout: await t.other() });
  });
}

function severalPayoutTests({ test }: PayoutSuite): void {
  test('is made beside those that are stored, in whichever order they are sent', 'outstanding', async (t) => {
    const { orders, states } = await preparedInRow(t, 3);
    for (const state of [...states].reverse()) await submitted(t.payout, state);
    for (const [index, state] of states.entries()) await checkPaid(t, orders[index] as PayoutOrder, state);
  });

  test(
    'does not stand for another of the same amount to the same wallet',
    ['once', 'outstanding'],
    async (t) => {
      const first = t.order();
      const second = { ...t.order(), to: first.to, amount: first.amount };
      const one = await prepared(t, first);
      const two = await prepared(t, second, [one]);
      for (const state of [one, two]) await submitted(t.payout, state);
      const both = { ...first, amount: first.amount + second.amount };
      for (const state of [one, two]) {
        const { progress } = await ended(t, state, { order: both });
        t.check.by('became').equal(progress.status, 'confirmed', 'what became of it');
      }
      await checkReceived(t, first, 2n * first.amount, 'received by two payouts', 'outstanding');
    },
  );

  test('is not the payout of another order of the same millisecond', ['sends', 'once'], async (t) => {
    const orders = [t.order(), t.order()];
    const states = await withStoppedMachineClock(async () => {
      const first = await prepared(t, orders[0] as PayoutOrder);
      const second = await t.payout.prepare(orders[1] as PayoutOrder, [first]);
      return second.status === 'prepared' ? [first, second.state] : [first];
    });
    for (const state of states) await submitted(t.payout, state);
    await checkEach(t, orders, states, 'one millisecond');
  });

  test(
    'is not the payout of another order that another process has prepared',
    ['sends', 'once'],
    async (t) => {
      const orders = [t.order(), t.order()] as const;
      const first = await prepared(t, orders[0]);
      await submitted(t.payout, first);
      const other = await t.other();
      const second = await other.prepare(orders[1], [first]);
      if (second.status !== 'prepared') t.check.by('sends').fail(`prepared: ${JSON.stringify(second)}`);
      else await submitted(other, second.state);
      const states = [first, ...(second.status === 'prepared' ? [second.state] : [])];
      await checkEach(t, orders, states, 'two processes');
    },
  );

  test('is sent at the same time as others, up to `atOnce`', ['atOnce', 'sends'], async (t) => {
    const { orders, states } = await preparedInRow(t, Math.min(t.payout.atOnce ?? 1, 8));
    await Promise.all(states.map((state) => submitted(t.payout, state)));
    await Promise.all(states.map((state, index) => ended(t, state, { order: orders[index] as PayoutOrder })));
    for (const order of orders) await checkReceived(t, order, order.amount, 'received', 'atOnce');
  });

  test(
    'is put off while too many others are under way, and no longer',
    ['busy', 'outstanding'],
    async (t) => {
      const { payout, check } = t;
      const states: PayoutState[] = [];
      const orders: PayoutOrder[] = [];
      for (let count = 0; count < MOST_UNDER_WAY; count += 1) {
        const order = t.order();
        const result = await payout.prepare(order, states);
        if (result.status !== 'prepared') {
          check.oneOf(result.status, ['busy', 'unavailable'], 'prepared beside many others');
          break;
        }
        orders.push(order);
        states.push(result.state);
      }
      for (const state of states) await submitted(payout, state);
      for (const [index, state] of states.entries()) await checkPaid(t, orders[index] as PayoutOrder, state);
      const last = t.order();
      await checkPaid(t, last, await prepared({ payout, check }, last));
    },
  );
}

async function preparedInRow(
  t: PayoutTest,
  count: number,
): Promise<{ orders: PayoutOrder[]; states: PayoutState[] }> {
  const orders = Array.from({ length: count }, () => t.order());
  const states: PayoutState[] = [];
  for (const order of orders) states.push(await prepared(t, order, states));
  return { orders, states };
}

/** Checks that each order was paid by its own payout. */
async function checkEach(
  t: PayoutTest,
  orders: readonly PayoutOrder[],
  states: readonly PayoutState[],
  of: string,
): Promise<void> {
  for (const [index, state] of states.entries()) {
    const order = orders[index] as PayoutOrder;
    await ended(t, state, { order });
    await checkReceived(t, order, order.amount, `received by order ${index + 1} of ${of}`, 'sends');
  }
}
