/** Payments whose signature fits other requirements than those that the adapter gets with them. */
import type { PaymentRequirements } from '../../src/ports/facilitator';
import { insteadOf } from '../conformance/failure';
import { SPELLINGS } from '../conformance/spellings';
import { outcomeOf, settled, settleDown } from './outcomes';
import { checkFound, checkReceived, type FacilitatorSuite, type FacilitatorTest } from './suite';

type Change = (t: FacilitatorTest) => Partial<PaymentRequirements>;

const OTHERS: Readonly<Record<string, Change>> = {
  'another recipient': ({ pauper }) => ({ payTo: pauper.address.toLowerCase() }),
  'a larger amount': ({ requirements }) => ({ amount: String(BigInt(requirements.amount) + 1n) }),
  'a smaller amount': ({ requirements }) => ({ amount: String(BigInt(requirements.amount) - 1n) }),
  'another token': () => ({ asset: `0x${'5e'.repeat(20)}` }),
  'another network': () => ({ network: 'eip155:999999937' }),
};
const REFUSED = ['invalid', 'insufficient_funds', 'unavailable'] as const;

export function requirementTests({ describe, test }: FacilitatorSuite): void {
  describe('requirements that name', () => {
    for (const [name, change] of Object.entries(OTHERS)) {
      test(`${name} than the payer has signed are not met`, ['fits', 'paid'], async (t) => {
        const { facilitator, requirements, check } = t;
        const others = { ...requirements, ...change(t) };
        const withOthers = `with requirements that name ${name} than the payer has signed`;
        const payment = await t.pay();
        const verified = async (asked: PaymentRequirements): Promise<string> =>
          (await facilitator.verify(payment, asked)).status;
        // `verify` must compare with the requirements of each call. It must not repeat its answer to an earlier call.
        check.equal(
          await verified(requirements),
          'valid',
          '`verify` with the requirements that the payer has signed',
        );
        check.oneOf(await verified(others), REFUSED, `\`verify\` ${withOthers}`);
        const refused = await facilitator.settle(payment, others);
        check.oneOf(refused.status, [...REFUSED, 'unknown'], `\`settle\` ${withOthers}`);
        await settleDown(t, [refused]);
        await checkReceived(t, 0, `base units that \`payTo\` has after \`settle\` ${withOthers}`);
        // With other requirements, a look-up of the settled payment must not say that the payment is settled.
        await settled(t, payment);
        const found = await facilitator.lookup(payment, others);
        check
          .by('paid')
          .holds(
            found.status !== 'settled',
            insteadOf(`\`lookup\` ${withOthers} answered settled`, 'anything else'),
          );
        await checkReceived(t, 1, 'base units that `payTo` has after one payment');
      });
    }
  });
  describe('addresses', () => {
    const cited = ['spelling', 'moves', 'paid'] as const;
    test('mean the same in lower case and in EIP-55 form', cited, spellingTest);
  });
}

/** The payer writes the recipient in one form, and the requirements have the other. */
async function spellingTest(t: FacilitatorTest): Promise<void> {
  const { facilitator, requirements, looksUp } = t;
  const check = t.check.by('spelling');
  let paid = 0;
  for (const [signed, sign] of Object.entries(SPELLINGS)) {
    const payment = await t.pay({ to: sign(requirements.payTo) });
    for (const [named, name] of Object.entries(SPELLINGS)) {
      const asked = { ...requirements, payTo: name(requirements.payTo), asset: name(requirements.asset) };
      const label = (call: string): string =>
        `${call}, when the payer wrote the recipient in ${signed}, and the requirements have it in ${named}`;
      const isPaid = named !== 'lower case';
      const verified = await facilitator.verify(payment, asked);
      check.equal(verified.status, isPaid ? 'spent' : 'valid', label('`verify`'));
      const outcome = await outcomeOf(t, payment, asked);
      check.oneOf(outcome.status, isPaid ? ['settled', 'spent'] : ['settled'], label('`settle`'));
      const found = await facilitator.lookup(payment, asked);
      check.oneOf(found.status, looksUp ? ['settled'] : ['settled', 'unknown'], label('`lookup`'));
      checkFound(t, found, payment);
    }
    await checkReceived(
      t,
      (paid += 1),
      `base units that \`payTo\` has after \`settle\` in both forms`,
      'once',
    );
  }
}
