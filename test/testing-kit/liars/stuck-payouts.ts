/** Payouts through the bank with one fault each. */
import { SECRET, slipOf, type PayoutFault } from './bank';

/** Submits each payout once, also when that submission has failed. */
export const submitsOnceOnly: PayoutFault = (honest) => {
  const sent = new Set<number>();
  return {
    async submit(state) {
      const { slot } = slipOf(state);
      if (sent.has(slot)) return;
      sent.add(slot);
      await honest.submit(state);
    },
  };
};

/** Keeps its lock when a submission fails, so each later submission of that payout rejects. */
export const keepsItsLock: PayoutFault = (honest) => {
  const busy = new Set<number>();
  return {
    async submit(state) {
      const { slot } = slipOf(state);
      if (busy.has(slot)) throw new Error('it is being sent');
      busy.add(slot);
      await honest.submit(state);
      busy.delete(slot);
    },
  };
};

/** After one failure it takes the bank for down, and asks it no more. */
export const givesUpTheBank: PayoutFault = (honest) => {
  let isDown = false;
  return {
    async submit(state) {
      if (isDown) throw new Error('the bank is down');
      try {
        await honest.submit(state);
      } catch (error) {
        isDown = true;
        throw error;
      }
    },
  };
};

/** As `givesUpTheBank`, for preparations. */
export const preparesNoMore: PayoutFault = (honest) => {
  let isDown = false;
  return {
    prepare: async (...input) =>
      isDown ? { status: 'unavailable', reason: 'the bank is down' } : honest.prepare(...input),
    submit: (state) =>
      honest.submit(state).catch((error: unknown) => {
        isDown = true;
        throw error;
      }),
  };
};

export const ignoresTheStatus: PayoutFault = (honest, bank) => ({
  submit: async (state) => (bank.status === 200 ? honest.submit(state) : undefined),
});

export const carriesItsKeyElsewhere: PayoutFault = (honest, bank) => ({
  async submit(state) {
    if (bank.elsewhere !== null) await fetch(bank.elsewhere, { headers: { 'x-api-key': SECRET } });
    await honest.submit(state);
  },
});

/** Takes the answer of another server for that of the bank. */
export const believesOtherServers: PayoutFault = (honest, bank) => ({
  check: async (state) =>
    bank.elsewhere === null ? honest.check(state) : { status: 'lost', reason: 'it is not there' },
});

export const countsTheFirstOnly: PayoutFault = (honest) => ({
  prepare: (order, outstanding) => honest.prepare(order, outstanding.slice(0, 1)),
});

/** Reads the stored amounts as JavaScript numbers, which are not exact above 2^53. */
export const sumsInNumbers: PayoutFault = (honest) => ({
  prepare: (order, outstanding) =>
    honest.prepare(
      order,
      outstanding.map((state) => {
        if (!state.includes('"of":"bank"')) return state;
        return JSON.stringify({ ...slipOf(state), amount: String(BigInt(Number(slipOf(state).amount))) });
      }),
    ),
});

/** The number of a payout is the time, so two payouts of one millisecond have the same number. */
export const numbersByTheClock: PayoutFault = (honest) => ({
  async prepare(...input) {
    const result = await honest.prepare(...input);
    if (result.status !== 'prepared') return result;
    return { ...result, state: JSON.stringify({ ...slipOf(result.state), slot: Date.now() }) };
  },
});

/** Each process numbers its payouts from 1, so the payouts of two processes have the same number. */
export const numbersInMemory: PayoutFault = (honest) => {
  let count = 0;
  return {
    async prepare(...input) {
      const result = await honest.prepare(...input);
      if (result.status !== 'prepared') return result;
      count += 1;
      return { ...result, state: JSON.stringify({ ...slipOf(result.state), slot: count }) };
    },
  };
};

/** The key is the id of the order and how often this process has prepared the order, so a restart repeats keys. */
export const countsPreparationsInMemory: PayoutFault = (honest) => {
  const counts = new Map<number, number>();
  return {
    async prepare(order, outstanding) {
      const result = await honest.prepare(order, outstanding);
      if (result.status !== 'prepared') return result;
      const count = (counts.get(order.id) ?? 0) + 1;
      counts.set(order.id, count);
      const slot = 1_000 + order.id * 100 + count;
      return { ...result, state: JSON.stringify({ ...slipOf(result.state), slot }) };
    },
  };
};

/** Writes 50,000 base units as the decimal text 0.5, not 0.05. */
export const losesZeros: PayoutFault = (honest) => ({
  prepare: (order, outstanding) =>
    honest.prepare(order.amount === 50_000n ? { ...order, amount: 500_000n } : order, outstanding),
});
