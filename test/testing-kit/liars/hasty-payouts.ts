/** Payouts through the bank that misread a payout which has happened and may still change. */
import type { PayoutProgress } from '../../../src/ports/payout';
import type { PayoutFault } from './bank';

const takingEndingFor =
  (progress: PayoutProgress): PayoutFault =>
  (honest) => ({
    async check(state) {
      const found = await honest.check(state);
      return found.status === 'pending' && found.ending === true ? progress : found;
    },
  });
export const confirmsWhatMayChange = takingEndingFor({ status: 'confirmed', transaction: null });
export const failsWhatMayChange = takingEndingFor({
  status: 'failed',
  transaction: null,
  reason: 'the bank may take it back',
});
export const losesWhatMayChange = takingEndingFor({ status: 'lost', reason: 'the bank may take it back' });
export const doesNotSayEnding = takingEndingFor({ status: 'pending' });

export const isAlwaysEnding: PayoutFault = (honest) => ({
  async check(state) {
    const found = await honest.check(state);
    return found.status === 'pending' ? { ...found, ending: true } : found;
  },
});

/** After a payout was ending once, `check` repeats this answer and does not ask the bank again. */
export const isEndingForEver: PayoutFault = (honest) => {
  const ending = new Set<string>();
  return {
    async check(state) {
      const found: PayoutProgress = ending.has(state)
        ? { status: 'pending', ending: true }
        : await honest.check(state);
      if (found.status === 'pending' && found.ending === true) ending.add(state);
      return found;
    },
  };
};

export const saysEndingInWords: PayoutFault = (honest) => ({
  async check(state) {
    const found = await honest.check(state);
    const isEnding = found.status === 'pending' && found.ending === true;
    return isEnding ? ({ ...found, ending: 'soon' } as unknown as PayoutProgress) : found;
  },
});
