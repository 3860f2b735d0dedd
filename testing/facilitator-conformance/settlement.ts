import type { Payment, SettleResult } from '../../src/ports/facilitator';
import { listOf } from '../conformance/check';
import { insteadOf, shown } from '../conformance/failure';
import { withLaterMachineClock } from '../conformance/machine-clock';
import { checkSettledIn, settled, settleDown } from './outcomes';
import {
  checkFound,
  checkReceived,
  checkResult,
  FORMS,
  type FacilitatorSuite,
  type FacilitatorTest,
} from './suite';

const EXACT = 'exact';
/** How long after the settlement the suite looks a payment up, while the window of the payment is still open. */
const LOOKED_UP_LATER_SECONDS = 200;
/** How far `spentAt` may be from the time that `now` gave during the settlement. */
const INEXACT_SECONDS = 60;

export function settlementTests(suite: FacilitatorSuite): void {
  suite.describe('what is paid', () => {
    firstPaymentTests(suite);
    repeatedPaymentTests(suite);
    parallelPaymentTests(suite);
  });
}

function firstPaymentTests({ test }: FacilitatorSuite): void {
  test('the facilitator has a name and says what it takes', 'supported', async (t) => {
    const { facilitator, requirements, check } = t;
    check.by('name').holds(facilitator.name.length > 0, '`name` is empty');
    const supported = await facilitator.supported();
    if (supported.status !== 'supported')
      return check.fail(insteadOf(`\`supported\` answered ${shown(supported)}`, '"supported"'));
    const { kinds } = supported;
    const taken = kinds.some(
      ({ scheme, x402Version, network }) =>
        scheme === EXACT && (x402Version === 1 || network === requirements.network),
    );
    if (!taken)
      check.fail(
        insteadOf(
          `\`kinds\` of what \`supported\` answered: ${shown(kinds)}`,
          `one with the scheme exact on ${requirements.network}`,
        ),
        'Name the network of the payments in the kinds, or give the hook `requirements` this network.',
      );
  });

  for (const form of FORMS) {
    // A failure with version 2 is probably not caused by the form of the payment, so its test cites `moves` first.
    const first = form === 'v2' ? 'moves' : 'forms';
    const cited = [first, 'forms', 'changesNothing', 'unused', 'moves', 'transaction', 'lookup'] as const;
    test(
      `a payment in the form ${form} is verified without moving anything, then settled`,
      cited,
      async (t) => {
        const { facilitator, requirements, hooks, check } = t;
        const payment = await t.pay({ form });
        check.equal(
          await facilitator.verify(payment, requirements),
          { status: 'valid' },
          '`verify` of a valid payment',
        );
        const before = await facilitator.lookup(payment, requirements);
        check
          .by(before.status === 'settled' ? 'changesNothing' : 'unused')
          .equal(before.status, 'unused', '`lookup` of a payment that was only verified');
        checkResult(t, before, payment);
        const asOf = before.status === 'unused' ? before.asOf : undefined;
        if (listOf(hooks.times).includes('asOf') && asOf === undefined)
          check
            .by('asOf')
            .fail(
              insteadOf(
                '`lookup` answered unused without `asOf`',
                'a time in Unix seconds, which `times` promises',
              ),
            );
        check
          .by('changesNothing')
          .equal(await t.received(), 0n, 'base units that `payTo` has after `verify` and `lookup` only');
        const first = await settled(t, payment);
        await checkReceived(t, 1, 'base units that `payTo` has when `settle` says settled', 'moves');
        const found = await facilitator.lookup(payment, requirements);
        checkFound(t, found, payment);
        if (first.status === 'settled' && found.status === 'settled')
          check
            .by('transaction')
            .oneOf(
              found.transaction,
              [first.transaction, null],
              '`transaction` of what `lookup` answered, beside that of `settle`',
            );
      },
    );
  }
}

function repeatedPaymentTests({ test }: FacilitatorSuite): void {
  test('a payment counts once, however often it is settled', ['once', 'spent', 'paid'], async (t) => {
    const { facilitator, requirements, check } = t;
    const payment = await t.pay();
    check.equal(
      (await facilitator.verify(payment, requirements)).status,
      'valid',
      '`verify` of a valid payment',
    );
    const answer = await facilitator.settle(payment, requirements);
    await checkSettledIn(t, payment, answer);
    const verified = await facilitator.verify(payment, requirements);
    check.by('spent').equal(verified.status, 'spent', '`verify` of a payment that was settled before');
    const copies: SettleResult[] = [];
    for (const time of ['second', 'third']) {
      const again = await facilitator.settle(payment, requirements);
      copies.push(again);
      if (again.status === 'unknown' || (again.status === 'settled' && answer.status === 'unknown'))
        await checkSettledIn(t, payment, again);
      else if (again.status === 'settled')
        check.equal(again, answer, `a ${time} \`settle\` of one payment, after the first answer`);
      else check.by('spent').equal(again.status, 'spent', `a ${time} \`settle\` of one payment`);
    }
    await settleDown(t, copies);
    await checkReceived(t, 1, 'base units that `payTo` has after three `settle` of one payment');
    checkFound(t, await facilitator.lookup(payment, requirements), payment, 'paid');
  });

  test('tells the times of what is settled', ['spentAt', 'asOf'], async (t) => {
    const { facilitator, requirements, hooks, check } = t;
    if (!check.given('times', hooks.times, 'names the times that `lookup` gives')) return;
    const payment = await t.pay();
    const before = t.now();
    await settled(t, payment);
    const after = t.now();
    if (hooks.moveClock) await hooks.moveClock(LOOKED_UP_LATER_SECONDS);
    const found = await withLaterMachineClock(LOOKED_UP_LATER_SECONDS * 1000, () =>
      facilitator.lookup(payment, requirements),
    );
    checkFound(t, found, payment);
    if (found.status !== 'settled' || found.spentAt === undefined) return;
    const [from, to] = [before / 1000 - INEXACT_SECONDS, after / 1000 + INEXACT_SECONDS];
    if (found.spentAt < from || found.spentAt > to)
      check.fail(
        insteadOf(
          `\`spentAt\` of what \`lookup\` answered: ${found.spentAt}`,
          `about ${Math.floor(after / 1000)}, when it was settled`,
        ),
      );
  });

  test('copies at the same time move the money once', 'once', async (t) => {
    const { facilitator, requirements } = t;
    const payment = await t.pay();
    const copies = Array.from({ length: 10 }, () => facilitator.settle(payment, requirements));
    await checkCopies(t, payment, await Promise.all(copies));
    await checkReceived(t, 1, 'base units that `payTo` has after ten `settle` of one payment at once');
  });

  test('two facilitators move the money of a payment once', ['once', 'paid', 'spent'], async (t) => {
    const { facilitator, requirements, hooks, check } = t;
    if (!check.given('another', hooks.another, 'a second facilitator, as another process would have it'))
      return;
    const handles = [facilitator, await t.open(hooks.another)];
    const atOnce = await t.pay();
    const copies = handles.flatMap((one) => [0, 1, 2].map(() => one.settle(atOnce, requirements)));
    await checkCopies(t, atOnce, await Promise.all(copies));
    await checkReceived(
      t,
      1,
      'base units that `payTo` has after `settle` of one payment by two facilitators at once',
    );
    const [first, second] = handles as [typeof facilitator, typeof facilitator];
    const later = await t.pay();
    await settled(t, later, { facilitator: first });
    const verified = await second.verify(later, requirements);
    check
      .by('spent')
      .equal(verified.status, 'spent', '`verify` by another facilitator, of a payment that was settled');
    await settleDown(t, [await second.settle(later, requirements)]);
    await checkReceived(
      t,
      2,
      'base units that `payTo` has after two payments, of which two facilitators have settled one each',
    );
    checkFound(t, await second.lookup(later, requirements), later, 'paid');
  });
}

function parallelPaymentTests({ test }: FacilitatorSuite): void {
  test('several payments of one wallet at the same time are all settled', 'moves', async (t) => {
    const { facilitator, requirements } = t;
    const payments = await Promise.all(Array.from({ length: 12 }, () => t.pay()));
    const results = await Promise.all(payments.map((payment) => facilitator.settle(payment, requirements)));
    await Promise.all(payments.map((payment, at) => checkSettledIn(t, payment, results[at] as SettleResult)));
    await checkReceived(t, 12, 'base units that `payTo` has after 12 payments at once');
  });

  test('what is unused moves the money once when it is settled again and again', 'safeAgain', async (t) => {
    const { facilitator, requirements, check } = t;
    const payment = await t.pay();
    check
      .by('unused')
      .equal((await facilitator.lookup(payment, requirements)).status, 'unused', '`lookup` of a new payment');
    const [first, second] = await Promise.all([
      facilitator.settle(payment, requirements),
      facilitator.lookup(payment, requirements).then(() => facilitator.settle(payment, requirements)),
    ]);
    await checkCopies(t, payment, [first, second]);
    await checkReceived(t, 1, 'base units that `payTo` has after two `settle` of one payment');
  });
}

/**
 * Checks that at least one of the calls answered settled or becomes settled, that none refused the payment, and that
 * their answers name at most one transaction.
 */
async function checkCopies(
  t: FacilitatorTest,
  payment: Payment,
  results: readonly SettleResult[],
): Promise<void> {
  const { check } = t;
  for (const { status } of results)
    check.oneOf(status, ['settled', 'spent', 'unknown'], 'one of several `settle` of one payment at once');
  const settledOnes = results.filter((result) => result.status === 'settled');
  const open = results.find(({ status }) => status === 'unknown');
  if (settledOnes.length === 0 && open !== undefined) await checkSettledIn(t, payment, open);
  else if (settledOnes.length === 0)
    check
      .by('moves')
      .fail(insteadOf('none of several `settle` of one payment answered settled', 'one of them at least'));
  const known = settledOnes.map(({ transaction }) => transaction).filter((hash) => hash !== null);
  if (new Set(known).size > 1)
    check.fail(
      insteadOf(
        `several \`settle\` of one payment answered with the transactions ${known.join(', ')}`,
        'one transaction',
      ),
    );
  await settleDown(t, results);
}
