/**
 * Services that answer with an error, nonsense or a redirect, or not at all. None of that says anything about a
 * payment.
 */
import type { Payment } from '../../src/ports/facilitator';
import { listOf } from '../conformance/check';
import { NONSENSE, normal, type Nonsense } from '../conformance/nonsense';
import { tellsSecret } from '../conformance/secrets';
import { SILENT_FORMS, silenced, type SilentForm } from '../conformance/silence';
import { openStranger } from '../conformance/stranger';
import { refuseIdle, type TroubleHook } from './idle-hooks';
import { outcomeOf, settled } from './outcomes';
import { checkReceived, type FacilitatorSuite, type FacilitatorTest } from './suite';

/** A gateway can answer with each of these statuses for reasons that have nothing to do with a payment. */
const HTTP_ERRORS = [400, 401, 402, 403, 404, 409, 422, 429, 500, 503];

export function serviceTests({ describe, test }: FacilitatorSuite): void {
  describe('HTTP errors', () => {
    const cited = ['understood', 'invalid', 'unknown', 'nobodyKnows', 'moves', 'recovers'] as const;
    test('refuse no payment, and make nothing valid, settled or known', cited, checkHttpErrors);
  });

  describe('answers that cannot be understood', () => {
    const cited = ['understood', 'invalid', 'unknown', 'nobodyKnows', 'unavailable', 'recovers'] as const;
    test('refuse no payment, and make nothing valid, settled or known', cited, checkNonsense);
  });

  describe('services that never complete an answer', () => {
    const cited = ['ends', 'understood', 'nobodyKnows', 'recovers'] as const;
    for (const [form, words] of SILENT_FORMS)
      test(`keep no call waiting (${words})`, cited, (t) => checkSilence(t, form));
  });

  describe('a redirect', () => {
    const cited = ['redirect', 'understood', 'nobodyKnows', 'recovers'] as const;
    test('takes no secret elsewhere, and makes nothing valid, settled or known', cited, checkRedirect);
  });
}

async function checkHttpErrors(t: FacilitatorTest): Promise<void> {
  const { failWith } = t.hooks;
  if (!t.check.given('failWith', failWith, 'makes the services answer with an HTTP status')) return;
  const payment = await t.pay();
  for (const error of HTTP_ERRORS) {
    const restore = await failWith(error);
    await checkNothingKnown(t, payment, `the services answered HTTP ${error}`, 'failWith');
    await restore();
  }
  await checkReceived(
    t,
    0,
    'base units that `payTo` has, although `failWith` must let the services do nothing',
    'moves',
  );
  await checkRecovered(t, [payment]);
}

async function checkSilence(t: FacilitatorTest, form: SilentForm): Promise<void> {
  const { hooks, check } = t;
  const what = 'makes the services take requests and never complete an answer';
  if (!check.given('silence', hooks.silence, what)) return;
  const payment = await t.pay();
  const restore = await silenced(hooks.silence, form);
  if (restore === null) return void check.given(`silence('${form}')`, false, what);
  const words = Object.fromEntries(SILENT_FORMS)[form];
  await checkNothingKnown(t, payment, `the services sent ${words}`, 'silence');
  await checkReceived(
    t,
    0,
    'base units that `payTo` has, although `silence` must let the services do nothing',
    'moves',
  );
  await restore();
  await checkRecovered(t, [payment]);
}

async function checkRedirect(t: FacilitatorTest): Promise<void> {
  const { hooks, check } = t;
  if (!check.given('redirect', hooks.redirect, 'makes the services answer with a redirect')) return;
  const stranger = await openStranger();
  try {
    const payment = await t.pay();
    const restore = await hooks.redirect(stranger.address);
    await checkNothingKnown(t, payment, 'the services redirected to another server', 'redirect');
    await restore();
    if (stranger.got().some((request) => tellsSecret(request, listOf(hooks.secrets))))
      check.by('redirect').fail('the adapter followed a redirect, and sent a secret to its address');
    await checkRecovered(t, [payment]);
  } finally {
    await stranger.close();
  }
}

async function checkNonsense(t: FacilitatorTest): Promise<void> {
  const paid = await t.pay();
  await settled(t, paid);
  const meant = await honestBodies(t, paid);
  if (meant === null) return;
  const payments = [paid];
  for (const [name, nonsense] of Object.entries(NONSENSE)) {
    const payment = await t.pay();
    payments.push(payment);
    const sent: string[] = [];
    const restore = await garbled(t, (body) => {
      sent.push(normal(nonsense(body)));
      return nonsense(body);
    });
    if (restore === null) return;
    // An empty list, for instance, may be what a service answers when it knows nothing of a payment. So the adapter
    // may understand such a body.
    const check = { ...t, isMeant: () => sent.some((body) => meant.has(body)) };
    await checkNothingKnown(check, payment, `the services answered ${name}`);
    await restore();
  }
  await checkRecovered(t, payments);
}

/** The bodies that working services answer. If nonsense equals one of them, the adapter may understand it. */
async function honestBodies(t: FacilitatorTest, paid: Payment): Promise<ReadonlySet<string> | null> {
  const { facilitator, requirements, check } = t;
  const bodies = new Set<string>();
  const restore = await garbled(t, (body) => {
    bodies.add(normal(body));
    return body;
  });
  if (restore === null) return null;
  const unused = await t.pay();
  for (const payment of [paid, unused]) {
    await facilitator.verify(payment, requirements);
    await facilitator.lookup(payment, requirements);
  }
  await facilitator.settle(paid, requirements);
  await restore();
  if (bodies.size === 0)
    check.notChecked(
      'Let the services answer `nonsense(body)` in place of each body: `garble` gets this function, and it was not called.',
    );
  return bodies;
}

/** Makes the services answer nonsense until the returned function is called. `null` if they cannot. */
export async function garbled(
  { hooks: { garble }, check }: FacilitatorTest,
  nonsense: Nonsense,
): Promise<(() => Promise<void>) | null> {
  const what = 'makes the services answer `nonsense(body)` in place of each body';
  if (!check.given('garble', garble, what)) return null;
  const restore: unknown = await garble(nonsense);
  if (typeof restore === 'function') return restore as () => Promise<void>;
  return check.notChecked(
    'Let `garble` take a function `nonsense`, answer `nonsense(body)` in place of each body, and return a function that ends this.',
  );
}

/** Checks that no call tells a result, and that nothing has moved if `settle` says that nothing was submitted. */
async function checkNothingKnown(
  t: FacilitatorTest & { isMeant?: () => boolean },
  payment: Payment,
  trouble: string,
  /** The hook that makes the trouble, if the services then do nothing. */
  hook?: TroubleHook,
): Promise<void> {
  const { facilitator, requirements, check } = t;
  const before = await t.received();
  // All calls run at the same time, because each of them may take the whole time limit of the adapter.
  const [verified, settled, found, { status: supported }] = await Promise.all([
    facilitator.verify(payment, requirements),
    facilitator.settle(payment, requirements),
    facilitator.lookup(payment, requirements),
    facilitator.supported(),
  ]);
  if (t.isMeant?.() === true) return;
  if (hook !== undefined) await refuseIdle(t, hook, { before, verified, settled });
  const label = (call: string): string => `${call}, while ${trouble}`;
  check.by('understood').equal(verified.status, 'unavailable', label('`verify`'));
  const isRefused = settled.status === 'invalid' || settled.status === 'insufficient_funds';
  check
    .by(isRefused ? 'invalid' : 'unknown')
    .oneOf(settled.status, ['unavailable', 'unknown'], label('`settle`'));
  check.by('nobodyKnows').equal(found.status, 'unknown', label('`lookup`'));
  check.by('understood').oneOf(supported, ['supported', 'unavailable'], label('`supported`'));
  // If `isSlow`, the money of an earlier payment may arrive meanwhile, so what `payTo` received proves nothing.
  if (settled.status === 'unavailable' && !t.pace.isSlow)
    check
      .by('unavailable')
      .equal(
        await t.received(),
        before,
        label('base units that `payTo` has after a `settle` that answered unavailable'),
      );
}

/** Checks that every call answers again, and that each of the payments moves its money once when it is settled. */
export async function checkRecovered(t: FacilitatorTest, payments: readonly Payment[]): Promise<void> {
  const { facilitator, requirements } = t;
  const by = t.check.by('recovers');
  const fresh = await t.pay();
  by.equal(
    (await facilitator.verify(fresh, requirements)).status,
    'valid',
    '`verify` of a valid payment, after the trouble has ended',
  );
  by.equal(
    (await facilitator.lookup(fresh, requirements)).status,
    'unused',
    '`lookup` of a new payment, after the trouble has ended',
  );
  by.equal((await facilitator.supported()).status, 'supported', '`supported` after the trouble has ended');
  const outcome = await outcomeOf(t, fresh);
  by.equal(outcome.status, 'settled', '`settle` of a valid payment, after the trouble has ended');
  for (const payment of payments) {
    const { status } = await facilitator.settle(payment, requirements);
    t.check
      .by('once')
      .oneOf(
        status,
        ['settled', 'spent', 'unknown'],
        '`settle` of a payment of the trouble, after the trouble has ended',
      );
  }
  const amount = BigInt(requirements.amount) * BigInt(payments.length + 1);
  await t.until(async () => (await t.received()) >= amount);
  await checkReceived(
    t,
    payments.length + 1,
    'base units that `payTo` has when each payment was settled after the trouble',
    'once',
  );
}
