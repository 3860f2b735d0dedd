/** Pays in play money. Every payout is confirmed at once, and no money moves. */
import { createHash } from 'node:crypto';
import { checkOptions, type NoOptions } from '../../../src/domain/options';
import type { Payout, PayoutOrder } from '../../../src/ports/payout';

const OWN_STATE = /^0x[0-9a-f]{64}$/;

/** Withdrawals of play money: each counts as paid, and no money moves. */
export function developmentPayout(options: NoOptions = {}): Payout {
  checkOptions('developmentPayout', options, {});
  return {
    name: 'development',
    playMoney: true,
    async prepare(order) {
      const transaction = transactionOf(order);
      return { status: 'prepared', state: transaction, transaction };
    },
    submit: () => Promise.resolve(),
    async check(state) {
      if (OWN_STATE.test(state)) return { status: 'confirmed', transaction: state };
      return { status: 'pending', trouble: 'another payout adapter has prepared it', unknown: true };
    },
  };
}

/** A text in the form of a transaction hash. The same order always gives the same text. */
function transactionOf({ id, to, amount }: PayoutOrder): string {
  return `0x${createHash('sha256').update(`play money payout ${id} ${to} ${amount}`).digest('hex')}`;
}
