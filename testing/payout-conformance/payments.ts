import { refuseIdleFund } from './idle-hooks';
import { insteadOf, shown } from '../conformance/failure';
import { tellsSecret } from '../conformance/secrets';
import { severalPayoutTests } from './several';
import { checkOpen, checkPaid, checkReceived, ended, prepared, submitted, type PayoutSuite } from './suite';

/** Amounts below 1 USD with zeros behind the decimal point. */
const SMALL_AMOUNTS = [50_000n, 1n];

/** The smallest amount that no `number` of JavaScript holds. */
export const BEYOND_NUMBERS = 2n ** 53n + 1n;

export function paymentTests(suite: PayoutSuite): void {
  suite.describe('a payout', () => {
    suite.test('is paid once when it is submitted twice', ['once', 'order'], async (t) => {
      const order = t.order();
      const state = await prepared(t, order);
      for (const _time of ['first', 'second']) await submitted(t.payout, state);
      await checkPaid(t, order, state);
      await submitted(t.payout, state);
      await checkReceived(
        t,
        order,
        order.amount,
        'base units that the wallet has after one more submission of a payout that was confirmed',
        'once',
      );
    });
    unsentPayoutTests(suite);
    sentPayoutTests(suite);
    severalPayoutTests(suite);
  });
}

const UNSENT = 'Answer `pending` while the service does not know the payout: it is not submitted yet.';

function unsentPayoutTests({ test }: PayoutSuite): void {
  test('comes with the hooks that show what was paid', ['became', 'once'], async ({ hooks, check }) => {
    check.given('received', hooks.received, 'returns what the wallet of an order has received');
    check.by('once').given('another', hooks.another, 'a second payout on the same treasury');
  });

  test('tells no secret', 'secret', async ({ payout, hooks, check }) => {
    // The other tests look for these secrets in every answer and every error.
    if (!check.given('secrets', hooks.secrets, 'lists the texts that no answer may contain')) return;
    check.holds(
      !tellsSecret(payout.name, hooks.secrets),
      '`name` contains a secret',
      'Name the adapter without it.',
    );
  });

  test('has a name, and takes one or more at a time', 'atOnce', async ({ payout, check }) => {
    check
      .by('secret')
      .holds(
        payout.name.length > 0,
        '`name` is empty',
        'Give the adapter a name, such as that of its service.',
      );
    check
      .by('secret')
      .holds(!/[\r\n]/.test(payout.name), `\`name\` has several lines: ${shown(payout.name)}`);
    const { atOnce = 1 } = payout;
    if (!Number.isInteger(atOnce) || atOnce < 1)
      check.fail(insteadOf(`\`atOnce\` is ${shown(atOnce)}`, 'a whole number from 1'));
  });

  test('sends nothing when it is prepared', ['sendsNothing', 'order'], async (t) => {
    const order = t.order();
    await prepared(t, order);
    await checkReceived(
      t,
      order,
      0n,
      'base units that the wallet has after `prepare`, without a `submit`',
      'sendsNothing',
    );
  });

  test('sends nothing when it is checked', ['looks', 'proof', 'pending'], async (t) => {
    const order = t.order();
    const state = await prepared(t, order);
    for (let look = 0; look < 3; look += 1) {
      const progress = await t.payout.check(state).catch((error: unknown) => {
        const seen = `\`check\` of a state that was never submitted rejected with ${shown(error)}`;
        return t.check.by('proof').fail(insteadOf(seen, '"pending"'), UNSENT);
      });
      await checkReceived(
        t,
        order,
        0n,
        'base units that the wallet has after `check`, without a `submit`',
        'looks',
      );
      if (t.received !== null) checkOpen(t, progress, '`check` of a state that was never submitted');
    }
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
      if (status === 'unavailable') await refuseIdleFund(t, amount);
      await checkPaid(t, order, await prepared(t, order), { twice: 'paid' });
    }
  });

  test('pays an amount that no number of JavaScript holds', ['sends', 'became'], async (t) => {
    const { hooks, check } = t;
    if (!check.given('fund', hooks.fund, 'gives the treasury more money')) return;
    await hooks.fund(BEYOND_NUMBERS);
    const order = t.order({ amount: BEYOND_NUMBERS });
    const result = await t.payout.prepare(order, []);
    // A service may limit the amount of a payout. It may refuse the order, but must not pay another amount.
    if (result.status === 'refused') return;
    if (result.status === 'unavailable') await refuseIdleFund(t, BEYOND_NUMBERS);
    await checkPaid(t, order, await prepared(t, order), { twice: 'paid' });
  });

  test('pays once, however often and by whichever process it is submitted', ['once', 'order'], async (t) => {
    const order = t.order();
    const state = await prepared(t, order);
    const handles = [t.payout, await t.other(), await t.other()];
    await Promise.all(handles.flatMap((one) => [submitted(one, state), submitted(one, state)]));
    const { states } = await checkPaid(t, order, state);
    for (const one of handles) for (const old of states) await submitted(one, old);
    await ended(t, state, { order });
    await checkReceived(
      t,
      order,
      order.amount,
      'base units that the wallet has after more submissions, also by other processes',
      'once',
    );
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
