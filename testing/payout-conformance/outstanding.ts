/**
 * Payouts that are stored and have not ended need money of the treasury. `prepare` must not promise this money to
 * another order.
 */
import { refuseIdleFund } from './idle-hooks';
import { BEYOND_NUMBERS } from './payments';
import {
  checkPaid,
  checkReceived,
  prepared,
  refusedToPrepare,
  submitted,
  type PayoutSuite,
  type PayoutTest,
} from './suite';

const CITED = ['notNow', 'outstanding'] as const;
const PUT_OFF = ['unavailable', 'busy'];

export function outstandingTests({ test }: Pick<PayoutSuite, 'test'>): void {
  test('beside what is stored is put off: no money is promised twice', CITED, async (t) => {
    const balance = await balanceOf(t);
    if (balance === null) return;
    const all = t.order({ amount: balance });
    const first = await prepared(t, all);
    const second = t.order();
    const { status } = await t.payout.prepare(second, [first]);
    t.check
      .by('outstanding')
      .oneOf(status, PUT_OFF, '`prepare` of an order beside a stored payout of the whole balance');
    await submitted(t.payout, first);
    await checkPaid(t, all, first);
    await checkReceived(
      t,
      second,
      0n,
      'base units that the wallet of the order that was put off has',
      'sendsNothing',
    );
  });

  test('beside two that are stored is put off: both count', CITED, async (t) => {
    const balance = await balanceOf(t);
    if (balance === null) return;
    const small = t.order();
    const rest = t.order({ amount: balance - small.amount });
    const states = [await prepared(t, small)];
    const second = await t.payout.prepare(rest, states);
    // An adapter may allow only one payout at a time.
    if (second.status === 'busy') return;
    if (second.status !== 'prepared')
      refusedToPrepare(t.check, second, 'an order of the money that is left beside a stored payout');
    else states.push(second.state);
    const { status } = await t.payout.prepare(t.order(), states);
    t.check
      .by('outstanding')
      .oneOf(
        status,
        PUT_OFF,
        '`prepare` of an order beside two stored payouts that together need the whole balance',
      );
  });

  test(
    'beside what is stored is put off, to the last base unit of an amount above 2^53',
    CITED,
    async (t) => {
      const { hooks, check } = t;
      if (!check.given('fund', hooks.fund, 'gives the treasury more money')) return;
      await hooks.fund(BEYOND_NUMBERS);
      const balance = await balanceOf(t);
      if (balance === null) return;
      await refuseIdleFund(t, BEYOND_NUMBERS);
      const first = await t.payout.prepare(t.order({ amount: BEYOND_NUMBERS }), []);
      // A service may limit the amount of a payout.
      if (first.status === 'refused') return;
      if (first.status !== 'prepared') return refusedToPrepare(check, first);
      const tooMuch = t.order({ amount: balance - BEYOND_NUMBERS + 1n });
      const { status } = await t.payout.prepare(tooMuch, [first.state]);
      const label = `\`prepare\` of an order of one base unit too much, beside a stored payout of ${BEYOND_NUMBERS}`;
      check.by('outstanding').oneOf(status, PUT_OFF, label);
    },
  );
}

async function balanceOf({ hooks: { treasury }, check }: PayoutTest): Promise<bigint | null> {
  return check.given('treasury', treasury, 'returns the balance of the treasury') ? treasury() : null;
}
