/** The money of the payouts that are stored and not ended is promised: no other payout may need it. */
import { BEYOND_NUMBERS } from './payments';
import { checkPaid, checkReceived, prepared, submitted, type PayoutSuite, type PayoutTest } from './suite';

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
    t.check.by('outstanding').oneOf(status, PUT_OFF, 'prepared beside a payout of everything');
    await submitted(t.payout, first);
    await checkPaid(t, all, first);
    await checkReceived(t, second, 0n, 'received by the one that was put off', 'sendsNothing');
  });

  test('beside two that are stored is put off: both count', CITED, async (t) => {
    const balance = await balanceOf(t);
    if (balance === null) return;
    const small = t.order();
    const rest = t.order({ amount: balance - small.amount });
    const states = [await prepared(t, small)];
    const second = await t.payout.prepare(rest, states);
    // An adapter may have one payout under way only.
    if (second.status === 'busy') return;
    if (second.status !== 'prepared')
      t.check.by('outstanding').fail(`an order of the money that is left: ${second.status}`);
    else states.push(second.state);
    const { status } = await t.payout.prepare(t.order(), states);
    t.check
      .by('outstanding')
      .oneOf(status, PUT_OFF, 'prepared beside two payouts that together need everything');
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
      const first = await t.payout.prepare(t.order({ amount: BEYOND_NUMBERS }), []);
      // A service may have a largest payout.
      if (first.status === 'refused') return;
      if (first.status !== 'prepared') return check.by('outstanding').fail(`prepared: ${first.status}`);
      const tooMuch = t.order({ amount: balance - BEYOND_NUMBERS + 1n });
      const { status } = await t.payout.prepare(tooMuch, [first.state]);
      const label = `an order of one base unit too much, beside a payout of ${BEYOND_NUMBERS}`;
      check.by('outstanding').oneOf(status, PUT_OFF, label);
    },
  );
}

async function balanceOf({ hooks: { treasury }, check }: PayoutTest): Promise<bigint | null> {
  return check.given('treasury', treasury, 'returns the balance of the treasury') ? treasury() : null;
}
