import { insteadOf, shown } from '../conformance/failure';
import { tellsSecret } from '../conformance/secrets';
import { refuseIdle, refuseIdleStranger } from './idle-hooks';
import { settled } from './outcomes';
import { checkFound, checkReceived, STRANGER, type FacilitatorSuite } from './suite';

export function strangerTests({ describe, test }: FacilitatorSuite): void {
  describe('what a stranger submitted', () => {
    test('is spent, and the look-up says that it paid', ['spent', 'paid', 'once', 'sender'], async (t) => {
      const { facilitator, requirements, hooks, check } = t;
      if (!check.given('stranger', hooks.stranger, STRANGER)) return;
      const payment = await t.pay();
      await hooks.stranger(payment);
      if ((await t.received()) === 0n) await refuseIdleStranger(t);
      await checkReceived(t, 1, 'base units that `payTo` has after the hook `stranger`');
      check.equal(
        (await facilitator.verify(payment, requirements)).status,
        'spent',
        '`verify` of a payment that a stranger has submitted',
      );
      // `settled` would be wrong here: the caller would take it for the result of this call, and serve the
      // request a second time.
      check.oneOf(
        (await facilitator.settle(payment, requirements)).status,
        ['spent', 'unknown'],
        '`settle` of a payment that a stranger has submitted',
      );
      await checkReceived(
        t,
        1,
        'base units that `payTo` has after `settle` of a payment that a stranger has submitted',
        'once',
      );
      const found = await facilitator.lookup(payment, requirements);
      checkFound(t, found, payment, 'paid');
      if (found.status === 'settled' && found.sentBySettler === true)
        check
          .by('sender')
          .fail(
            insteadOf(
              '`sentBySettler` is true for a payment that a stranger has submitted',
              'false or nothing',
            ),
          );
    });

    test('for another recipient has not paid us', ['spentElsewhere', 'spent'], async (t) => {
      const { facilitator, requirements, looksUp, hooks, check } = t;
      if (!check.given('stranger', hooks.stranger, STRANGER)) return;
      const payment = await t.pay();
      const { nonce } = payment.authorization;
      const elsewhere = 'of a payment whose nonce a stranger has used for another recipient';
      await hooks.stranger(await t.pay({ nonce, to: t.pauper.address }));
      await checkReceived(t, 0, 'base units that `payTo` has after a payment to another recipient');
      const verified = await facilitator.verify(payment, requirements);
      if (verified.status === 'valid') await refuseIdleStranger(t);
      check.by('spent').equal(verified.status, 'spent', `\`verify\` ${elsewhere}`);
      const settled = await facilitator.settle(payment, requirements);
      check.by('spent').oneOf(settled.status, ['spent', 'invalid', 'unknown'], `\`settle\` ${elsewhere}`);
      const { status } = await facilitator.lookup(payment, requirements);
      check.oneOf(status, looksUp ? ['invalid'] : ['invalid', 'unknown'], `\`lookup\` ${elsewhere}`);
      await checkReceived(t, 0, `base units that \`payTo\` has after \`settle\` ${elsewhere}`);
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
      const before = await t.received();
      const verified = await facilitator.verify(payment, requirements);
      const settled = await facilitator.settle(payment, requirements);
      await refuseIdle(t, 'cutOff', { before, verified, settled });
      check.by('understood').equal(verified.status, 'unavailable', '`verify` without the services');
      const isRefused = settled.status === 'invalid' || settled.status === 'insufficient_funds';
      check
        .by(isRefused ? 'invalid' : 'unknown')
        .oneOf(settled.status, ['unavailable', 'unknown'], '`settle` without the services');
      check
        .by('nobodyKnows')
        .equal(
          (await facilitator.lookup(payment, requirements)).status,
          'unknown',
          '`lookup` without the services',
        );
      check.oneOf(
        (await facilitator.supported()).status,
        ['supported', 'unavailable'],
        '`supported` without the services',
      );
      await checkReceived(
        { ...t, check: check.by('unavailable') },
        0,
        `base units that \`payTo\` has after a \`settle\` that answered ${settled.status}`,
      );
    });

    test('what was paid is not called unpaid', ['nobodyKnows', 'lookup'], async (t) => {
      const { facilitator, requirements, hooks, check } = t;
      if (!check.given('cutOff', hooks.cutOff, what)) return;
      const payment = await t.pay();
      await settled(t, payment);
      await hooks.cutOff();
      check.oneOf(
        (await facilitator.lookup(payment, requirements)).status,
        ['settled', 'unknown'],
        '`lookup` of a payment that was settled, without the services',
      );
      const again = await facilitator.settle(payment, requirements);
      check.oneOf(
        again.status,
        ['settled', 'spent', 'unavailable', 'unknown'],
        'a second `settle` of a payment that was settled, without the services',
      );
    });
  });

  describe('the reasons', () => {
    test(
      'and the name hold no secret',
      ['name', 'reason'],
      async ({ facilitator: { name }, hooks, check }) => {
        check.holds(!/[\r\n]/.test(name), `\`name\` has several lines: ${shown(name)}`);
        // The other tests look for these secrets in the reason of every answer.
        if (!check.given('secrets', hooks.secrets, 'lists the texts that no answer may contain')) return;
        check.holds(!tellsSecret(name, hooks.secrets), '`name` contains a secret');
      },
    );
  });
}
