import type { Payment, PaymentAuthorization } from '../../src/ports/facilitator';
import { insteadOf, shown } from '../conformance/failure';
import { withLaterMachineClock } from '../conformance/machine-clock';
import { refuseIdleStranger } from './idle-hooks';
import { outcomeOf, outcomeOfPoor, settled } from './outcomes';
import { authorizationFor, signAuthorization } from './payments';
import { checkFound, checkReceived, STRANGER, type FacilitatorSuite, type FacilitatorTest } from './suite';

/** The payments of the suite are valid until 300 seconds after they were signed. */
const AFTER_THE_WINDOW_SECONDS = 301;

export function refusalTests(suite: FacilitatorSuite): void {
  wrongPayments(suite);
  expiredPayments(suite);
  poorPayers(suite);
}

/**
 * Checks that `verify` and `settle` refuse the payment, that no money moves, and that the look-up does not find
 * the payment settled.
 */
async function checkRefused(
  t: FacilitatorTest,
  payment: Payment,
  what: string,
  status: string,
  allowed: readonly string[] = [status],
): Promise<void> {
  const { facilitator, requirements, check } = t;
  check.equal(
    (await facilitator.verify(payment, requirements)).status,
    status,
    `\`verify\` of a payment ${what}`,
  );
  const first = await (allowed.includes('unknown')
    ? facilitator.settle(payment, requirements)
    : status === 'insufficient_funds'
      ? outcomeOfPoor(t, payment).then(({ result }) => result)
      : outcomeOf(t, payment));
  check.oneOf(first.status, allowed, `\`settle\` of a payment ${what}`);
  await checkReceived(t, 0, `base units that \`payTo\` has after \`settle\` of a payment ${what}`);
  const found = await facilitator.lookup(payment, requirements);
  if (found.status === 'settled')
    check
      .by('lookup')
      .fail(insteadOf(`\`lookup\` of a payment ${what} answered ${shown(found)}`, 'anything but settled'));
}

function seconds(t: FacilitatorTest, offset: number): string {
  return String(Math.floor(t.now() / 1000) + offset);
}

function wrongPayments({ describe, test }: FacilitatorSuite): void {
  const wrong: Record<string, (t: FacilitatorTest) => Promise<Payment>> = {
    'for less': (t) => t.pay({ value: String(BigInt(t.requirements.amount) - 1n) }),
    'for more': (t) => t.pay({ value: String(BigInt(t.requirements.amount) + 1n) }),
    'to another recipient': (t) => t.pay({ to: t.pauper.address }),
    'that is not valid yet': (t) => t.pay({ validAfter: seconds(t, 3_600), validBefore: seconds(t, 7_200) }),
    'signed by another wallet': (t) => signedBy(t, 'pauper'),
    'for another token': (t) => signedBy(t, 'payer', { asset: t.pauper.address }),
    'of another chain': (t) => signedBy(t, 'payer', { network: 'eip155:1' }),
    'whose amount was changed after signing': (t) =>
      changed(t, { value: '1' }, { value: t.requirements.amount }),
    'without a signature': (t) => changed(t, {}, { signature: '0x' }),
    'with a signature of the wrong length': (t) => changed(t, {}, { signature: `0x${'11'.repeat(64)}` }),
    'with a signature that no key has made': (t) => changed(t, {}, { signature: `0x${'11'.repeat(64)}1b` }),
    'with a nonce that is none': (t) => changed(t, {}, { nonce: '0x1234' }),
    'with numbers that are none': (t) => changed(t, {}, { value: '1e3', validAfter: '-1', validBefore: '' }),
    'with addresses that are none': (t) => changed(t, {}, { from: '0x', to: 'nowhere' }),
  };

  describe('what is refused', () => {
    for (const [name, make] of Object.entries(wrong)) {
      test(`a payment ${name} is invalid, and nothing is moved`, ['invalid', 'values'], async (t) => {
        await checkRefused(t, await make(t), name, 'invalid');
      });
    }
  });
}

/**
 * Pays the pauper the amount of one payment. `false` if `settle` refuses another `payTo` and the hook `stranger` is
 * absent.
 */
async function fundPauper(t: FacilitatorTest): Promise<boolean> {
  const { requirements, pauper, hooks, check } = t;
  const gift = await t.pay({ to: pauper.address });
  if (hooks.stranger) {
    await hooks.stranger(gift);
    return true;
  }
  const { status } = await outcomeOf(t, gift, { ...requirements, payTo: pauper.address.toLowerCase() });
  return status === 'settled' || check.given('stranger', hooks.stranger, STRANGER);
}

async function signedBy(
  t: FacilitatorTest,
  signer: 'payer' | 'pauper',
  domain: { asset?: string; network?: string } = {},
): Promise<Payment> {
  const authorization = authorizationFor(t.payer, t.requirements, t.now());
  return {
    form: 'v2',
    authorization: await signAuthorization(t[signer], { ...t.requirements, ...domain }, authorization),
  };
}

async function changed(
  t: FacilitatorTest,
  before: Partial<PaymentAuthorization>,
  after: Partial<PaymentAuthorization>,
): Promise<Payment> {
  const { form, authorization } = await t.pay(before);
  return { form, authorization: { ...authorization, ...after } };
}

function expiredPayments({ describe, test }: FacilitatorSuite): void {
  describe('what has expired', () => {
    test('is invalid, and nothing is moved', ['invalid', 'values'], async (t) => {
      // `unknown` is right too: the adapter may be unable to tell that the payment was not settled before.
      const payment = await t.pay({ validBefore: seconds(t, -30) });
      await checkRefused(t, payment, 'whose window has ended', 'invalid', ['invalid', 'unknown']);
    });

    test('is looked up as what can never be settled', ['spentElsewhere', 'chainTime'], async (t) => {
      const { facilitator, requirements, looksUp, check } = t;
      const validBefore = seconds(t, -300);
      const payment = await t.pay({ validAfter: '0', validBefore });
      const found = await facilitator.lookup(payment, requirements);
      const { status } = found;
      // Without `asOf` the facilitator promises nothing about the end of the window, and the caller settles to find
      // out. If the newest block is older than that end, the chain could still accept the authorization.
      if (status === 'unused' && !((found.asOf ?? 0) >= Number(validBefore))) return;
      check
        .by('chainTime')
        .oneOf(
          status,
          looksUp ? ['invalid'] : ['invalid', 'unknown'],
          '`lookup` of a payment whose window has ended',
        );
    });

    test('is not called unpaid when it was paid before', ['invalid', 'paid'], async (t) => {
      const { facilitator, requirements, hooks, check } = t;
      if (!check.given('moveClock', hooks.moveClock, 'moves the clock that decides about windows')) return;
      const payment = await t.pay();
      await settled(t, payment);
      const before = t.now();
      await hooks.moveClock(AFTER_THE_WINDOW_SECONDS);
      if (t.now() - before < AFTER_THE_WINDOW_SECONDS * 1000)
        check.notChecked(
          `\`moveClock\` does nothing: after \`moveClock(${AFTER_THE_WINDOW_SECONDS})\`, \`now()\` had moved by ${t.now() - before} ms. Move the clock of \`now\` by so many seconds.`,
        );
      // The adapter must not judge the window by the clock of the machine either, so that clock moves too.
      await withLaterMachineClock(AFTER_THE_WINDOW_SECONDS * 1000, async () => {
        const { status } = await facilitator.settle(payment, requirements);
        check.oneOf(
          status,
          ['settled', 'spent', 'unavailable', 'unknown'],
          'a second `settle` of a payment, after its window',
        );
        await checkReceived(t, 1, 'base units that `payTo` has after two `settle` of one payment');
        checkFound(t, await facilitator.lookup(payment, requirements), payment, 'paid');
      });
    });
  });
}

function poorPayers({ describe, test }: FacilitatorSuite): void {
  describe('payers without money', () => {
    const paymentOf = async (t: FacilitatorTest, nonce?: string): Promise<Payment> => {
      const change = nonce === undefined ? {} : { nonce };
      const authorization = authorizationFor(t.pauper, t.requirements, t.now(), change);
      return { form: 'v2', authorization: await signAuthorization(t.pauper, t.requirements, authorization) };
    };

    test('get `insufficient_funds`, and nothing is moved', 'values', async (t) => {
      await checkRefused(t, await paymentOf(t), 'of a wallet without money', 'insufficient_funds');
    });

    test('are not called poor for what they have paid before', ['invalid', 'spent'], async (t) => {
      const { facilitator, requirements, check } = t;
      if (!(await fundPauper(t))) return;
      const payment = await paymentOf(t);
      const { status } = await facilitator.verify(payment, requirements);
      if (status === 'insufficient_funds') await refuseIdleStranger(t);
      await settled(t, payment);
      const again = await facilitator.settle(payment, requirements);
      check.oneOf(
        again.status,
        ['settled', 'spent', 'unavailable', 'unknown'],
        'a second `settle`, by a wallet that has nothing left',
      );
      const verified = await facilitator.verify(payment, requirements);
      check
        .by('spent')
        .equal(
          verified.status,
          'spent',
          '`verify` of a payment that was settled, by a wallet that has nothing left',
        );
      await checkReceived(t, 1, 'base units that `payTo` has after one valid payment');
    });

    // EIP-3009: a nonce belongs to its payer.
    test('have not paid what another payer has paid with the same nonce', ['unused', 'values'], async (t) => {
      const { facilitator, requirements } = t;
      const paid = await t.pay();
      await settled(t, paid);
      const unpaid = await paymentOf(t, paid.authorization.nonce);
      const check = t.check.by('unused');
      const ofPoor =
        'of a payment without money, with the nonce of a payment of another wallet that was settled';
      check.equal(
        (await facilitator.verify(unpaid, requirements)).status,
        'insufficient_funds',
        `\`verify\` ${ofPoor}`,
      );
      const { result, found } = await outcomeOfPoor(t, unpaid);
      check.equal(result.status, 'insufficient_funds', `\`settle\` ${ofPoor}`);
      await checkReceived(t, 1, 'base units that `payTo` has after one valid payment');
      const { status } = await facilitator.lookup(unpaid, requirements);
      const allowed = [
        'unused',
        ...(t.looksUp ? [] : ['unknown']),
        ...(found === undefined ? [] : [found.status]),
      ];
      check.oneOf(status, allowed, `\`lookup\` ${ofPoor}`);
    });

    test('do not stand in the way of others', ['values', 'moves'], async (t) => {
      const { check } = t;
      const poor = await paymentOf(t);
      const results = await Promise.all([
        outcomeOf(t, await t.pay()),
        outcomeOfPoor(t, poor).then(({ result }) => result),
        outcomeOf(t, await t.pay()),
      ]);
      const statuses = results.map(({ status }) => status);
      check.equal(
        statuses,
        ['settled', 'insufficient_funds', 'settled'],
        'three `settle` at once, of which the second is by a wallet without money',
      );
      const afterwards = await outcomeOf(t, await t.pay());
      check.by('moves').equal(afterwards.status, 'settled', '`settle` of a valid payment afterwards');
      await checkReceived(t, 3, 'base units that `payTo` has after three valid payments');
    });
  });
}
