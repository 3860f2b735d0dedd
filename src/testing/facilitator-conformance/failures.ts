import type { Payment, PaymentAuthorization } from '../../ports/facilitator';
import { authorizationFor, signAuthorization } from './payments';
import type { FacilitatorSuite, FacilitatorTest } from './suite';

export function failureTests(suite: FacilitatorSuite): void {
  wrongPayments(suite);
  poorPayers(suite);
  outages(suite);
}

/** Refused by both calls, nothing moved. */
async function checkRefused(t: FacilitatorTest, payment: Payment, status: string): Promise<void> {
  const { facilitator, requirements, check } = t;
  check.equal((await facilitator.verify(payment, requirements)).status, status, 'verified');
  check.equal((await facilitator.settle(payment, requirements)).status, status, 'settled');
  check.equal(await t.received(), 0n, 'received');
}

function wrongPayments({ describe, test }: FacilitatorSuite): void {
  const seconds = (t: FacilitatorTest, offset: number): string => String(Math.floor(t.now() / 1000) + offset);
  const wrong: Record<string, (t: FacilitatorTest) => Promise<Payment>> = {
    'for less': (t) => t.pay({ value: String(BigInt(t.requirements.amount) - 1n) }),
    'for more': (t) => t.pay({ value: String(BigInt(t.requirements.amount) + 1n) }),
    'to somebody else': (t) => t.pay({ to: t.pauper.address }),
    'that has expired': (t) => t.pay({ validBefore: seconds(t, -30) }),
    'that is not valid yet': (t) => t.pay({ validAfter: seconds(t, 3_600), validBefore: seconds(t, 7_200) }),
    'signed by another wallet': (t) => signedBy(t, 'pauper'),
    'for another token': (t) => signedBy(t, 'payer', { asset: t.pauper.address }),
    'of another chain': (t) => signedBy(t, 'payer', { network: 'eip155:1' }),
    'whose amount was changed after signing': (t) =>
      changed(t, { value: '1' }, { value: t.requirements.amount }),
    'without a signature': (t) => changed(t, {}, { signature: '0x' }),
    'with a signature of the wrong length': (t) => changed(t, {}, { signature: `0x${'11'.repeat(64)}` }),
    'with a signature that nobody made': (t) => changed(t, {}, { signature: `0x${'11'.repeat(64)}1b` }),
    'with a nonce that is none': (t) => changed(t, {}, { nonce: '0x1234' }),
    'with numbers that are none': (t) => changed(t, {}, { value: '1e3', validAfter: '-1', validBefore: '' }),
    'with addresses that are none': (t) => changed(t, {}, { from: '0x', to: 'nobody' }),
  };

  describe('what is refused', () => {
    for (const [name, make] of Object.entries(wrong)) {
      test(`a payment ${name} is invalid, and nothing is moved`, async (t) => {
        await checkRefused(t, await make(t), 'invalid');
      });
    }
  });
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

function poorPayers({ describe, test }: FacilitatorSuite): void {
  describe('payers without money', () => {
    const paymentOf = async (t: FacilitatorTest): Promise<Payment> => {
      const authorization = authorizationFor(t.pauper, t.requirements, t.now());
      return { form: 'v2', authorization: await signAuthorization(t.pauper, t.requirements, authorization) };
    };

    test('are told so, and nothing is moved', async (t) => {
      await checkRefused(t, await paymentOf(t), 'insufficient_funds');
    });

    test('do not stand in the way of others', async (t) => {
      const { facilitator, requirements, check } = t;
      const poor = await paymentOf(t);
      const [first, second, third] = await Promise.all([
        facilitator.settle(await t.pay(), requirements),
        facilitator.settle(poor, requirements),
        facilitator.settle(await t.pay(), requirements),
      ]);
      check.equal([first.status, second.status, third.status], ['settled', 'insufficient_funds', 'settled']);
      check.equal((await facilitator.settle(await t.pay(), requirements)).status, 'settled', 'afterwards');
      check.equal(await t.received(), 3n * BigInt(requirements.amount), 'received');
    });
  });
}

function outages({ describe, test }: FacilitatorSuite): void {
  describe('without what it depends on', () => {
    test('nothing is valid, settled or known, and no call rejects', async (t) => {
      const { facilitator, requirements, check, cutOff } = t;
      // A facilitator that depends on nothing cannot lose it.
      if (cutOff === undefined) return;
      const payment = await t.pay();
      await cutOff();
      check.equal((await facilitator.verify(payment, requirements)).status, 'unavailable', 'verified');
      const settled = await facilitator.settle(payment, requirements);
      check.equal(['unavailable', 'unknown'].includes(settled.status), true, `settled: ${settled.status}`);
      check.equal((await facilitator.lookup(payment, requirements)).status, 'unknown', 'looked up');
    });
  });
}
