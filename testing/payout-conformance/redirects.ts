import { listOf } from '../conformance/check';
import { tellsSecret } from '../conformance/secrets';
import { openStranger } from '../conformance/stranger';
import { refuseIdle } from './idle-hooks';
import { checkOpen, checkPaid, prepared, submitted, type PayoutSuite, type PayoutTest } from './suite';

export function redirectTests({ describe, test }: PayoutSuite): void {
  describe('a redirect', () => {
    test('gets no secret, and proves nothing', ['redirect', 'proof', 'once'], redirectTest);
  });
}

/** The services redirect the adapter to a server of the suite. No request to that server may contain a secret. */
async function redirectTest(t: PayoutTest): Promise<void> {
  const { redirect, secrets } = t.hooks;
  if (!t.check.given('redirect', redirect, 'makes the services answer with a redirect')) return;
  const stranger = await openStranger();
  try {
    const order = t.order();
    const state = await prepared(t, order);
    const end = await redirect(stranger.address);
    await t.payout.prepare(t.order(), [state]).catch(() => null);
    await submitted(t.payout, state);
    const progress = await t.payout.check(state).catch(() => null);
    await end();
    if (stranger.got().some((request) => tellsSecret(request, listOf(secrets))))
      t.check.fail('the adapter followed a redirect, and sent a secret to its address');
    await refuseIdle(t, 'redirect', order, progress);
    if (progress !== null) checkOpen(t, progress, '`check`, while the services answered with a redirect');
    await checkPaid(t, order, state);
  } finally {
    await stranger.close();
  }
}
