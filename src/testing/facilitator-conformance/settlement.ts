import type { LookupResult, SettleResult } from '../../ports/facilitator';
import { FORMS, type FacilitatorSuite, type FacilitatorTest } from './suite';

const HASH = /^0x[0-9a-fA-F]{64}$/;

export function settlementTests({ describe, test }: FacilitatorSuite): void {
  describe('what is paid', () => {
    test('the facilitator has a name and says what it takes', async ({ facilitator, check }) => {
      check.equal(facilitator.name.length > 0, true, 'name');
      const supported = await facilitator.supported();
      check.equal(supported.status, 'supported');
      const kinds = supported.status === 'supported' ? supported.kinds : [];
      check.equal(
        kinds.some(({ scheme }) => scheme === 'exact'),
        true,
        'takes exact payments',
      );
    });

    for (const form of FORMS) {
      test(`a payment in the form ${form} is verified without moving anything, then settled`, async (t) => {
        const { facilitator, requirements, check } = t;
        const payment = await t.pay({ form });
        check.equal(await facilitator.verify(payment, requirements), { status: 'valid' });
        check.equal((await facilitator.lookup(payment, requirements)).status, 'unused', 'before');
        check.equal(await t.received(), 0n, 'received by a verification');
        const settled = await facilitator.settle(payment, requirements);
        checkSettled(t, settled);
        check.equal(await t.received(), BigInt(requirements.amount), 'received');
        checkFound(t, await facilitator.lookup(payment, requirements), settled);
      });
    }

    test('a payment counts once, however often it is settled', async (t) => {
      const { facilitator, requirements, check } = t;
      const payment = await t.pay();
      const first = await facilitator.settle(payment, requirements);
      checkSettled(t, first);
      const verified = await facilitator.verify(payment, requirements);
      check.equal(verified.status, 'spent', 'verified again');
      const again = await facilitator.settle(payment, requirements);
      if (again.status === 'settled') check.equal(again, first, 'settled again');
      else check.equal(again.status, 'spent', 'settled again');
      check.equal(await t.received(), BigInt(requirements.amount), 'received');
      checkFound(t, await facilitator.lookup(payment, requirements), first);
    });

    test('copies at the same time move the money once', async (t) => {
      const { facilitator, requirements, check } = t;
      const payment = await t.pay();
      const results = await Promise.all(
        Array.from({ length: 10 }, () => facilitator.settle(payment, requirements)),
      );
      const settled = results.filter((result) => result.status === 'settled');
      check.equal(settled.length > 0, true, 'one of them is told');
      check.equal(new Set(settled.map(({ transaction }) => transaction)).size, 1, 'transactions');
      const others = results.filter(({ status }) => !['settled', 'spent', 'unknown'].includes(status));
      check.equal(others, [], 'other outcomes');
      check.equal(await t.received(), BigInt(requirements.amount), 'received');
    });

    test('several payments of one wallet at the same time are all settled', async (t) => {
      const { facilitator, requirements, check } = t;
      const payments = await Promise.all(Array.from({ length: 12 }, () => t.pay()));
      const results = await Promise.all(payments.map((payment) => facilitator.settle(payment, requirements)));
      for (const result of results) checkSettled(t, result);
      check.equal(await t.received(), 12n * BigInt(requirements.amount), 'received');
    });
  });
}

function checkSettled({ check }: FacilitatorTest, result: SettleResult): void {
  check.equal(result.status, 'settled', JSON.stringify(result));
  if (result.status !== 'settled' || result.transaction === null) return;
  check.equal(HASH.test(result.transaction), true, `transaction ${result.transaction}`);
}

function checkFound({ check, looksUp }: FacilitatorTest, found: LookupResult, settled: SettleResult): void {
  if (found.status === 'unknown' && !looksUp) return;
  // The look-up may tell times as well.
  const outcome =
    found.status === 'settled' ? { status: found.status, transaction: found.transaction } : found;
  check.equal(outcome, settled, 'what became of it');
}
