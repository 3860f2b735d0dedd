/** Payouts that are under way at the same time. */
import type { PayoutOrder, PayoutState } from '../../src/ports/payout';
import { insteadOf } from '../conformance/failure';
import { withStoppedMachineClock } from '../conformance/machine-clock';
import {
  checkPaid,
  checkReceived,
  ended,
  prepared,
  refusedToPrepare,
  submitted,
  type PayoutSuite,
  type PayoutTest,
} from './suite';

const MOST_UNDER_WAY = 40;

export function severalPayoutTests({ test }: PayoutSuite): void {
  test('is made beside those that are stored, in whichever order they are sent', 'outstanding', async (t) => {
    const { orders, states } = await preparedInRow(t, 3);
    for (const state of [...states].reverse()) await submitted(t.payout, state);
    for (const [index, state] of states.entries()) await checkPaid(t, orders[index] as PayoutOrder, state);
  });

  test('does not stand for another of the same amount to the same wallet', ['once', 'paid'], async (t) => {
    const first = t.order();
    const second = { ...t.order(), to: first.to, amount: first.amount };
    const one = await prepared(t, first);
    const two = await prepared(t, second, [one]);
    for (const state of [one, two]) await submitted(t.payout, state);
    const both = { ...first, amount: first.amount + second.amount };
    for (const state of [one, two]) {
      const { progress } = await ended(t, state, { order: both });
      t.check
        .by('became')
        .equal(progress.status, 'confirmed', '`check` of one of two payouts to the same wallet');
    }
    await checkReceived(
      t,
      first,
      2n * first.amount,
      'base units that one wallet has after two payouts of the same amount, which are both confirmed',
      'paid',
    );
  });

  test('is not the payout of another order of the same millisecond', ['sends', 'once'], async (t) => {
    const orders = [t.order(), t.order()];
    const states = await withStoppedMachineClock(async () => {
      const first = await prepared(t, orders[0] as PayoutOrder);
      const second = await t.payout.prepare(orders[1] as PayoutOrder, [first]);
      return second.status === 'prepared' ? [first, second.state] : [first];
    });
    for (const state of states) await submitted(t.payout, state);
    await checkEach(t, orders, states, 'which were prepared in one millisecond');
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
      if (second.status !== 'prepared')
        refusedToPrepare(t.check, second, 'an order beside one of another process');
      else await submitted(other, second.state);
      const states = [first, ...(second.status === 'prepared' ? [second.state] : [])];
      await checkEach(t, orders, states, 'which two processes have prepared');
    },
  );

  test('is sent at the same time as others, up to `atOnce`', ['atOnce', 'sends'], async (t) => {
    const { orders, states } = await preparedInRow(t, Math.min(t.payout.atOnce ?? 1, 8));
    await Promise.all(states.map((state) => submitted(t.payout, state)));
    await Promise.all(states.map((state, index) => ended(t, state, { order: orders[index] as PayoutOrder })));
    for (const order of orders)
      await checkReceived(
        t,
        order,
        order.amount,
        'base units that a wallet has when `atOnce` payouts were sent together',
        'atOnce',
      );
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
          check.oneOf(
            result.status,
            ['busy', 'unavailable'],
            '`prepare` beside many payouts that are under way',
          );
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

const OWN_KEY =
  'Two orders may have got the same key, so that the service paid one of them. Make a key in every `prepare` that no other process and no other call makes, such as `randomUUID()`.';

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
    if (t.received === null) continue;
    const amount = await t.received(order);
    const seen = `the wallet of order ${index + 1} of two, ${of}, has ${amount} base units`;
    t.check.by('sends').holds(amount === order.amount, insteadOf(seen, String(order.amount)), OWN_KEY);
  }
}
