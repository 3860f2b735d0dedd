/** Orders whose addresses are written in lower case or in EIP-55 form. */
import type { PayoutOrder } from '../../src/ports/payout';
import { insteadOf, shown } from '../conformance/failure';
import { SPELLINGS } from '../conformance/spellings';
import { checkPaid, prepared, type PayoutSuite, type PayoutTest } from './suite';

type Spelling = (address: string) => string;

const respelt = (order: PayoutOrder, spell: Spelling): PayoutOrder => ({
  ...order,
  to: spell(order.to),
  asset: spell(order.asset),
});

export function spellingTests({ describe, test }: PayoutSuite): void {
  describe('addresses of an order', () => {
    const cited = ['spelling', 'became', 'outstanding'] as const;
    test('mean the same in lower case and in EIP-55 form', cited, async (t) => {
      for (const [form, spell] of Object.entries(SPELLINGS)) {
        const order = respelt(t.order(), spell);
        const result = await t.payout.prepare(order, []);
        if (result.status !== 'prepared') {
          const seen = `\`prepare\` of an order with \`to\` and \`asset\` in ${form} answered ${shown(result)}`;
          t.check.fail(insteadOf(seen, '"prepared"'));
          continue;
        }
        await checkPaid(inEitherForm(t), order, result.state);
      }
    });

    test('count as one token in both forms: no money is promised twice', cited, async (t) => {
      const { hooks, check } = t;
      if (!check.given('treasury', hooks.treasury, 'returns the balance of the treasury')) return;
      const forms = Object.entries(SPELLINGS);
      for (const [form, spell] of forms) {
        const all = respelt(t.order({ amount: await hooks.treasury() }), spell);
        const stored = await prepared(t, all);
        for (const [other, spellOther] of forms) {
          const result = await t.payout.prepare(respelt(t.order(), spellOther), [stored]);
          const label = `\`prepare\` of an order in ${other}, beside a stored payout of the whole balance in ${form}`;
          // If both orders have the same form, the spelling is not the cause.
          const sentence =
            result.status === 'refused' ? 'notNow' : form === other ? 'outstanding' : 'spelling';
          check.by(sentence).oneOf(result.status, ['unavailable', 'busy'], label);
        }
      }
    });
  });
}

/** Calls the hook `received` with both forms of the wallet's address, because it may know only one of them. */
function inEitherForm(t: PayoutTest): PayoutTest {
  const { received } = t;
  if (received === null) return t;
  return {
    ...t,
    async received(order) {
      const lower = { ...order, to: SPELLINGS['lower case'](order.to) };
      const [asWritten, asLower] = [await received(order), await received(lower)];
      return asWritten > asLower ? asWritten : asLower;
    },
  };
}
