/** Payouts through the bank, each with one fault that a careless author could make. */
import type { PayoutProgress } from '../../../src/ports/payout';
import { BankError, isOwn, slipOf, type PayoutFault } from './bank';

export const takesErrorsForFailure: PayoutFault = (honest) => ({
  check: (state) =>
    honest.check(state).catch((error: unknown) => {
      if (error instanceof BankError) return { status: 'failed', transaction: null, reason: error.message };
      throw error;
    }),
});

export const refusesAtErrors: PayoutFault = (honest, bank) => ({
  prepare: async (...input) =>
    bank.status === 200
      ? honest.prepare(...input)
      : { status: 'refused', reason: 'the bank does not want to' },
});

const takingUnknownWordsFor =
  (progress: PayoutProgress): PayoutFault =>
  (honest) => ({
    async check(state) {
      const found = await honest.check(state);
      const isUnknown = found.status === 'pending' && found.trouble !== undefined && isOwn(state);
      return isUnknown ? progress : found;
    },
  });
export const takesUnknownWordsForFailure = takingUnknownWordsFor({
  status: 'failed',
  transaction: null,
  reason: 'not known',
});
export const takesUnknownWordsForPaid = takingUnknownWordsFor({ status: 'confirmed', transaction: null });

export const waitsForSilentBanks: PayoutFault = (honest, bank) => ({
  check: (state) => (bank.silence === null ? honest.check(state) : new Promise(() => undefined)),
});
/** Its time limit covers the headers of an answer, but not the body. */
export const waitsForTheBody: PayoutFault = (honest, bank) => ({
  check: (state) => (bank.silence === 'halfBody' ? new Promise(() => undefined) : honest.check(state)),
});

/**
 * The key of a payout is the id of its order. A second payout of a lost order has the same key, and the bank
 * ignores it.
 */
export const usesOrderIdsAsKeys: PayoutFault = (honest) => ({
  async prepare(order, outstanding) {
    const result = await honest.prepare(order, outstanding);
    if (result.status !== 'prepared') return result;
    return { ...result, state: JSON.stringify({ ...slipOf(result.state), slot: 1_000 + order.id }) };
  },
});

export const takesGoneForLost: PayoutFault = (honest) => ({
  check: (state) =>
    honest.check(state).catch((error: unknown) => {
      if (error instanceof BankError && error.status === 410)
        return { status: 'lost', reason: error.message };
      throw error;
    }),
});

export const rejectsBeforeSubmission: PayoutFault = (honest, bank) => ({
  async check(state) {
    const slip = isOwn(state) ? slipOf(state) : null;
    if (slip !== null && !bank.slots.has(slip.slot)) throw new BankError(404);
    return honest.check(state);
  },
});

/** Rejects where it should answer that the order cannot be paid now. */
export const rejectsToPrepare: PayoutFault = (honest) => ({
  async prepare(...input) {
    const result = await honest.prepare(...input);
    if (result.status === 'unavailable') throw new Error(result.reason);
    return result;
  },
});

const swallowing =
  (isSwallowed: (error: unknown) => boolean): PayoutFault =>
  (honest) => ({
    submit: (state) =>
      honest.submit(state).catch((error: unknown) => {
        if (!isSwallowed(error)) throw error;
      }),
  });

export const swallowsFailures: PayoutFault = swallowing(() => true);
export const swallowsRefusals: PayoutFault = swallowing(
  (error) => error instanceof BankError && [400, 422].includes(error.status),
);
export const swallowsTimeLimits: PayoutFault = swallowing(
  (error) => error instanceof BankError && [408, 504].includes(error.status),
);

/** Takes each JSON text with a field `slot` for a state of the bank. */
export const goesByFieldNames: PayoutFault = (honest) => ({
  check: async (state) =>
    !isOwn(state) && state.includes('"slot":')
      ? honest.check(JSON.stringify({ ...slipOf(state), of: 'bank' }))
      : honest.check(state),
});

/** Ten minutes after its start, takes each pending payout for lost. */
export const givesUpOldPayouts: PayoutFault = (honest) => {
  const begin = Date.now();
  return {
    async check(state) {
      const progress = await honest.check(state);
      const isOld = Date.now() - begin > 600_000;
      return progress.status === 'pending' && isOld ? { status: 'lost', reason: 'too old' } : progress;
    },
  };
};

export const remembersTheBalance: PayoutFault = (honest, bank) => {
  let known: bigint | null = null;
  return {
    async prepare(...input) {
      const now = bank.treasury;
      bank.treasury = known ??= now;
      const result = await honest.prepare(...input);
      bank.treasury = now;
      return result;
    },
  };
};

/** Repeats a submission without an answer as a new payout. */
export const repeatsUnderANewKey: PayoutFault = (honest, bank) => ({
  submit: (state) =>
    honest
      .submit(state)
      .catch(() => honest.submit(JSON.stringify({ ...slipOf(state), slot: bank.nextSlot() }))),
});
