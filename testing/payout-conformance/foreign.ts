/** States that another adapter has prepared for the same treasury. */
import type { PayoutState } from '../../src/ports/payout';
import { insteadOf, shown } from '../conformance/failure';
import { checkPaid, prepared, submitted, type PayoutSuite } from './suite';

/** States that the adapter under test has not made. */
const FOREIGN_STATES: readonly PayoutState[] = [
  'payout-000017 of another adapter',
  '{"transferId":"another adapter","amount":"1000000000000000000"}',
  `another:0x${'5e'.repeat(32)}`,
  'null',
  '[]',
  '{}',
  '17',
  '',
];

/**
 * States of another adapter, each of which has one field name in common with `own`. If `own` has only one field,
 * there are none, because this adapter may recognise its states by the name of that field.
 */
function lookalikesOf(own: PayoutState): PayoutState[] {
  const fields = fieldsOf(own);
  if (fields.length < 2) return [];
  return fields.map(([name, value]) =>
    JSON.stringify({ [name]: typeof value === 'number' ? value + 1 : 'another adapter' }),
  );
}

function fieldsOf(state: PayoutState): [name: string, value: unknown][] {
  try {
    const parsed: unknown = JSON.parse(state);
    return typeof parsed === 'object' && parsed !== null ? Object.entries(parsed) : [];
  } catch {
    return [];
  }
}

export function foreignTests({ describe, test }: PayoutSuite): void {
  describe('payouts that another adapter has prepared', () => {
    test('keep no other payout waiting', ['keeps', 'foreign'], async (t) => {
      const order = t.order();
      // Many foreign states: an adapter that counted them as its own payouts would answer busy.
      const many = Array.from({ length: 100 }, (_, index) => `${FOREIGN_STATES[index % 3]} ${index}`);
      const result = await t.payout.prepare(order, [...FOREIGN_STATES, ...many]);
      if (result.status !== 'prepared')
        t.check
          .by('keeps')
          .fail(
            insteadOf(`\`prepare\` beside states of another adapter answered ${shown(result)}`, '"prepared"'),
          );
      else await checkPaid(t, order, result.state);
    });

    test('stay as they are, and are told', 'notOurs', async (t) => {
      const { payout, check } = t;
      for (const state of [...FOREIGN_STATES, ...lookalikesOf(await prepared(t, t.order()))]) {
        await submitted(payout, state);
        const of = `\`check\` of the state ${shown(state)} of another adapter`;
        const progress = await payout
          .check(state)
          .catch((error: unknown) =>
            check.fail(insteadOf(`${of} rejected with ${shown(error)}`, '"pending"')),
          );
        check.equal(progress.status, 'pending', of);
        if (progress.status !== 'pending') continue;
        check.holds(progress.trouble !== undefined, insteadOf(`${of} has no \`trouble\``, 'a text'));
        check.equal(progress.unknown, true, `\`unknown\` of ${of}`);
      }
    });
  });
}
