import { tellsSecret } from '../conformance/secrets';
import { checkFound, checkReceived, checkSettled, STRANGER, type FacilitatorSuite } from './suite';

export function strangerTests({ describe, test }: FacilitatorSuite): void {
  describe('what a stranger submitted', () => {
    test('is spent, and the look-up says that it paid', ['spent', 'paid', 'once', 'sender'], async (t) => {
      const { facilitator, requirements, hooks, check } = t;
      if (!check.given('stranger', hooks.stranger, STRANGER)) return;
      const payment = await t.pay();
      await hooks.stranger(payment);
      await checkReceived(t, 1, 'received by what the stranger submitted');
      check.equal((await facilitator.verify(payment, requirements)).status, 'spent', 'verified');
      // `settled` would be wrong here: the caller would take it for the result of this call, and serve the
      // request a second time.
      check.oneOf((await facilitator.settle(payment, requirements)).status, ['spent', 'unknown'], 'settled');
      await checkReceived(t, 1, 'received', 'once');
      const found = await facilitator.lookup(payment, requirements);
      checkFound(t, found, payment, 'paid');
      if (found.status === 'settled' && found.sentBySettler === true)
        check.by('sender').fail('`sentBySettler` is true, although a stranger submitted the payment');
    });

    test('for another recipient has not paid us', ['spentElsewhere', 'spent'], async (t) => {
      const { facilitator, requirements, looksUp, hooks, check } = t;
      if (!check.given('stranger', hooks.stranger, STRANGER)) return;
      const payment = await t.pay();
      const { nonce } = payment.authorization;
      await hooks.stranger(await t.pay({ nonce, to: t.pauper.address }));
      await checkReceived(t, 0, 'received by what went to another');
      check.by('spent').equal((await facilitator.verify(payment, requirements)).status, 'spent', 'verified');
      const settled = await facilitator.settle(payment, requirements);
      check.by('spent').oneOf(settled.status, ['spent', 'invalid', 'unknown'], 'settled');
      const { status } = await facilitator.lookup(payment, requirements);
      check.oneOf(status, looksUp ? ['invalid'] : ['invalid', 'unknown'], 'looked up');
      await checkReceived(t, 0, 'received');
    });
  });
}

export function outageTests({ describe, test }: FacilitatorSuite): void {
  describe('without what it depends on', () => {
    const what = 'cuts the facilitator off from the services that it depends on';

    const cited = ['values', 'unavailable', 'nobodyKnows', 'unknown', 'supported', 'ends'] as const;
    test('nothing is valid, settled or known, and no call rejects', cited, async (t) => {
      const { facilitator, requirements, hooks, check } = t;
      if (!check.given('cutOff', hooks.cutOff, what)) return;
      const payment = await t.pay();
      await hooks.cutOff();
      check.equal((await facilitator.verify(payment, requirements)).status, 'unavailable', 'verified');
      const settled = await facilitator.settle(payment, requirements);
      check.oneOf(settled.status, ['unavailable', 'unknown'], 'settled');
      check
        .by('nobodyKnows')
        .equal((await facilitator.lookup(payment, requirements)).status, 'unknown', 'looked up');
      check.oneOf((await facilitator.supported()).status, ['supported', 'unavailable'], 'supported');
      await checkReceived(
        { ...t, check: check.by('unavailable') },
        0,
        `received when it was ${settled.status}`,
      );
    });

    test('what was paid is not called unpaid', ['nobodyKnows', 'lookup'], async (t) => {
      const { facilitator, requirements, hooks, check } = t;
      if (!check.given('cutOff', hooks.cutOff, what)) return;
      const payment = await t.pay();
      checkSettled(t, await facilitator.settle(payment, requirements));
      await hooks.cutOff();
      check.oneOf(
        (await facilitator.lookup(payment, requirements)).status,
        ['settled', 'unknown'],
        'looked up',
      );
      const again = await facilitator.settle(payment, requirements);
      check.oneOf(again.status, ['settled', 'spent', 'unavailable', 'unknown'], 'settled again');
    });
  });

  describe('the reasons', () => {
    test(
      'and the name hold no secret',
      ['name', 'reason'],
      async ({ facilitator: { name }, hooks, check }) => {
        check.equal(/[\r\n]/.test(name), false, 'whether the name has several lines');
        // The other tests look for these secrets in the reason of every answer.
        if (!check.given('secrets', hooks.secrets, 'lists the texts that no answer may contain')) return;
        check.equal(tellsSecret(name, hooks.secrets), false, 'whether the name contains a secret');
      },
    );
  });
}
