/** Payouts through the bank with one fault each. The conformance suite has to report every fault. */
import type { Payout, PayoutProgress, PayoutState } from '../../../src/ports/payout';
import { isOwn, SECRET, slipOf, TOKEN, type PayoutFault } from './bank';

export const sound: PayoutFault = () => ({});

export const sendsWhenPrepared: PayoutFault = (honest, bank) => ({
  async prepare(...input) {
    const result = await honest.prepare(...input);
    if (result.status === 'prepared') bank.submit(slipOf(result.state));
    return result;
  },
});

export const paysEverySubmission: PayoutFault = (honest, bank) => ({
  async submit(state) {
    if (bank.slots.get(slipOf(state).slot) === 'paid') bank.pay(slipOf(state));
    else await honest.submit(state);
  },
});

/** Decides by its own memory of what it has sent, and does not ask the bank. */
export const remembersAlone: PayoutFault = (honest, bank) => {
  const sentHere = new Set<PayoutState>();
  return {
    async submit(state) {
      if (sentHere.has(state)) return;
      sentHere.add(state);
      if (bank.slots.get(slipOf(state).slot) === 'paid') bank.pay(slipOf(state));
      else await honest.submit(state);
    },
  };
};

/** The state of a payout is a number that only this process can look up. */
export const keepsStatesInMemory: PayoutFault = (honest) => {
  const states: PayoutState[] = [];
  const known = (text: PayoutState): PayoutState => {
    const state = states[Number(text)];
    if (state === undefined) throw new Error(`no payout ${text}`);
    return state;
  };
  return {
    async prepare(order, outstanding) {
      const result = await honest.prepare(order, outstanding.map(known));
      return result.status === 'prepared'
        ? { ...result, state: String(states.push(result.state) - 1) }
        : result;
    },
    submit: async (text) => honest.submit(known(text)),
    async check(text) {
      const progress = await honest.check(known(text));
      return progress.status === 'renewed'
        ? { ...progress, state: String(states.push(progress.state) - 1) }
        : progress;
    },
  };
};

export const sendsWhenChecked: PayoutFault = (honest, bank) => ({
  async check(state) {
    const before = await honest.check(state);
    if (before.status === 'pending') bank.submit(slipOf(state));
    return before;
  },
});

export const takesAbsenceForLoss: PayoutFault = (honest) => ({
  async check(state) {
    const progress = await honest.check(state);
    return progress.status === 'pending' ? { status: 'lost', reason: 'not found' } : progress;
  },
});

export const takesSilenceForFailure: PayoutFault = (honest) => ({
  check: (state) =>
    honest.check(state).catch(() => ({ status: 'failed', transaction: null, reason: 'no answer' })),
});

export const confirmsWhatIsUnderWay: PayoutFault = (honest) => ({
  async check(state) {
    const progress = await honest.check(state);
    return progress.status === 'renewed' ? { status: 'confirmed', transaction: null } : progress;
  },
});

/** A newer offer is a separate payout, so both can be paid. */
export const renewsWithoutExcluding: PayoutFault = (honest, bank) => ({
  async check(state) {
    const progress = await honest.check(state);
    if (progress.status !== 'renewed') return progress;
    return { ...progress, state: JSON.stringify({ ...slipOf(progress.state), slot: bank.nextSlot() }) };
  },
});

export const paysWhatWasLost: PayoutFault = (honest, bank) => ({
  async submit(state) {
    const { slot } = slipOf(state);
    if (bank.slots.get(slot) === 'overtaken') bank.slots.delete(slot);
    await honest.submit(state);
  },
});

export const promisesMoneyTwice: PayoutFault = (honest) => ({
  prepare: (order) => honest.prepare(order, []),
});

export const refusesForWantOfMoney: PayoutFault = (honest, bank) => ({
  async prepare(order, outstanding) {
    const result = await honest.prepare(order, outstanding);
    const isShort = result.status === 'unavailable' && !bank.isCut;
    return isShort ? { status: 'refused', reason: result.reason } : result;
  },
});

export const saysSentWhenAway: PayoutFault = (honest, bank) => ({
  submit: async (state) => (bank.isCut ? undefined : honest.submit(state)),
});

export const takesLikeForLike: PayoutFault = (honest, bank) => {
  const seen = new Map<string, number>();
  return {
    async submit(state) {
      const slip = slipOf(state);
      const twin = seen.get(slip.to) ?? slip.slot;
      seen.set(slip.to, twin);
      await honest.submit(JSON.stringify({ ...slip, slot: twin }));
      bank.slots.set(slip.slot, bank.slots.get(twin) ?? 'waiting');
    },
  };
};

export const keepsAFee: PayoutFault = (honest) => ({
  async prepare(order, outstanding) {
    return honest.prepare({ ...order, amount: order.amount - 1n }, outstanding);
  },
});

export const neverAnswers: PayoutFault = () => ({ check: () => new Promise(() => undefined) });

/** Prepares nothing while `outstanding` contains a state of another adapter, which it cannot read. */
export const stumblesOverForeignStates: PayoutFault = (honest) => ({
  async prepare(order, outstanding) {
    const isReadable = outstanding.every(isOwn);
    return isReadable ? honest.prepare(order, outstanding) : { status: 'unavailable', reason: 'bad state' };
  },
});

export const confirmsForeignStates: PayoutFault = (honest) => ({
  check: async (state) => (isOwn(state) ? honest.check(state) : { status: 'confirmed', transaction: state }),
});

export const isSilentAboutForeignStates: PayoutFault = (honest) => ({
  check: async (state) => (isOwn(state) ? honest.check(state) : { status: 'pending' }),
});

/** Reads a field of the JSON that another adapter has stored, and throws if the JSON is `null`. */
export const stumblesOverNull: PayoutFault = (honest) => ({
  check: async (state) => {
    if (state === 'null') throw new TypeError("Cannot read properties of null (reading 'slot')");
    return honest.check(state);
  },
});

export const paysElsewhere: PayoutFault = (honest) => ({
  prepare: ({ network: _network, ...order }, outstanding) =>
    honest.prepare({ ...order, network: 'eip155:8453' }, outstanding),
});

export const paysAnyToken: PayoutFault = (honest) => ({
  prepare: (order, outstanding) =>
    honest.prepare({ ...order, asset: order.asset.replaceAll('5e', 'ab') }, outstanding),
});

/** Rounds each amount down to an even one. */
export const rounds: PayoutFault = (honest) => ({
  prepare: (order, outstanding) =>
    honest.prepare({ ...order, amount: order.amount - (order.amount % 2n) }, outstanding),
});

export const keepsItsKeyInStates: PayoutFault = (honest) => ({
  async prepare(...input) {
    const result = await honest.prepare(...input);
    if (result.status !== 'prepared') return result;
    return { ...result, state: JSON.stringify({ ...slipOf(result.state), key: SECRET }) };
  },
});

const rejectsWith =
  (message: string): PayoutFault =>
  (honest, bank) => ({
    submit: (state) =>
      honest.submit(state).catch((error: unknown) => {
        throw bank.isCut ? new Error(message) : error;
      }),
  });
export const tellsItsKey = rejectsWith(`POST https://bank.example/?key=${SECRET} failed`);
export const tellsItsStack = rejectsWith('it failed\n    at submit (payout.ts:1:2)');

export const tellsItsKeyInReasons: PayoutFault = (honest, bank) => ({
  prepare: async (...input) =>
    bank.isCut
      ? { status: 'unavailable', reason: `no answer to the key ${SECRET}` }
      : honest.prepare(...input),
});

const answering =
  (change: (progress: PayoutProgress) => object): PayoutFault =>
  (honest: Payout) => ({ check: async (state) => change(await honest.check(state)) as PayoutProgress });
export const namesNoTransaction = answering(({ status, ...rest }) =>
  status === 'confirmed' ? { status } : { status, ...rest },
);
export const givesNoReason = answering((progress) =>
  progress.status === 'lost' ? { status: 'lost' } : progress,
);
export const hasAStatusOfItsOwn = answering((progress) =>
  progress.status === 'confirmed' ? { ...progress, status: 'done' } : progress,
);

/** Each submission is a payout of its own, as with a new idempotency key for each request. */
export const paysUnderNewNumbers: PayoutFault = (honest, bank) => ({
  submit: async (state) => honest.submit(JSON.stringify({ ...slipOf(state), slot: bank.nextSlot() })),
});

/** Reads amounts as JavaScript numbers, which are not exact above 2^53. */
export const countsInNumbers: PayoutFault = (honest) => ({
  prepare: (order, outstanding) =>
    honest.prepare({ ...order, amount: BigInt(Number(order.amount)) }, outstanding),
});

export const isNamedByItsKey: PayoutFault = () => ({ name: `bank ${SECRET}` });

export const comparesTheTokenByCase: PayoutFault = (honest) => ({
  prepare: async (order, outstanding) =>
    order.asset === TOKEN
      ? honest.prepare(order, outstanding)
      : { status: 'refused', reason: 'another token' },
});

export const refusesCapitals: PayoutFault = (honest) => ({
  prepare: async (order, outstanding) =>
    order.to === order.to.toLowerCase()
      ? honest.prepare(order, outstanding)
      : { status: 'refused', reason: 'no such wallet' },
});

/** Counts a stored payout only if both orders spell the address of the token with the same capital letters. */
export const countsTokensByCase: PayoutFault = (honest) => {
  const tokens = new Map<PayoutState, string>();
  return {
    async prepare(order, outstanding) {
      const same = outstanding.filter((state) => (tokens.get(state) ?? order.asset) === order.asset);
      const result = await honest.prepare(order, same);
      if (result.status === 'prepared') tokens.set(result.state, order.asset);
      return result;
    },
  };
};
