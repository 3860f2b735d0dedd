/** Facilitators that are careless about what they do not know: lost answers, pending payments, garbage. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SupportedResult } from '../../../src/ports/facilitator';
import type { LostAnswer } from '../../../testing';
import { AMOUNT, AWAY, parsed, settledBy, transactionOf, type FacilitatorFault } from './facilitator-world';

export const callsLostAnswersUnavailable: FacilitatorFault = (honest) => ({
  async settle(...input) {
    const settled = await honest.settle(...input);
    return settled.status === 'unknown' ? AWAY : settled;
  },
});

/** Treats one way to lose the answer (`how`) as a failure before the submission. */
export const callsUnavailable =
  (how: LostAnswer | `HTTP ${number}`): FacilitatorFault =>
  (honest) => ({
    async settle(...input) {
      const settled = await honest.settle(...input);
      return settled.status === 'unknown' && settled.reason === how ? AWAY : settled;
    },
  });

export const waitsForLostAnswers: FacilitatorFault = (honest) => ({
  async settle(...input) {
    const settled = await honest.settle(...input);
    const isSilent = settled.status === 'unknown' && settled.reason === 'silence';
    return isSilent ? new Promise(() => undefined) : settled;
  },
});

/** Takes HTTP 200 for success and ignores the body. */
export const takesNonsenseForSettled: FacilitatorFault = (honest) => ({
  async settle(...input) {
    const settled = await honest.settle(...input);
    return settled.status === 'unknown' && settled.reason === 'nonsense' ? settledBy(input[0]) : settled;
  },
});

export const callsLostAnswersInvalid: FacilitatorFault = (honest) => ({
  async settle(...input) {
    const settled = await honest.settle(...input);
    return settled.status === 'unknown' ? { status: 'invalid', reason: 'it failed' } : settled;
  },
});

export const takesSilenceForUnused: FacilitatorFault = (honest) => ({
  async lookup(...input) {
    const found = await honest.lookup(...input);
    return found.status === 'unknown' ? { status: 'unused' } : found;
  },
});

/** Treats a payment without a receipt as one that was never submitted, although it may be pending. */
export const callsPendingUnused: FacilitatorFault = (honest) => ({
  async lookup(...input) {
    const found = await honest.lookup(...input);
    return found.status === 'unknown' && found.reason === 'pending' ? { status: 'unused' } : found;
  },
});

/** Remembers a pending submission only until `settle` has answered. After that, `lookup` says `unused`. */
export const forgetsWhatIsPending: FacilitatorFault = (honest) => {
  const isWaiting = new Set<string>();
  return {
    async settle(...input) {
      isWaiting.add(transactionOf(input[0]));
      const settled = await honest.settle(...input);
      for (let turn = 0; turn < 50; turn += 1) await nextTurn();
      isWaiting.delete(transactionOf(input[0]));
      return settled;
    },
    async lookup(...input) {
      const found = await honest.lookup(...input);
      const isPending = found.status === 'unknown' && found.reason === 'pending';
      return isPending && !isWaiting.has(transactionOf(input[0])) ? { status: 'unused' } : found;
    },
  };
};

export const callsPendingUnavailable: FacilitatorFault = (honest) => ({
  async settle(...input) {
    const settled = await honest.settle(...input);
    return settled.status === 'unknown' && settled.reason === 'pending' ? AWAY : settled;
  },
});

export const callsPendingSettled: FacilitatorFault = (honest) => ({
  async settle(...input) {
    const settled = await honest.settle(...input);
    return settled.status === 'unknown' && settled.reason === 'pending' ? settledBy(input[0]) : settled;
  },
});

/** Submits a further transaction, because it has no receipt of the first one. */
export const submitsPendingAgain: FacilitatorFault = (honest, world) => {
  const pending = new Set<string>();
  return {
    async settle(...input) {
      const settled = await honest.settle(...input);
      if (settled.status !== 'unknown' || settled.reason !== 'pending') return settled;
      const nonce = transactionOf(input[0]);
      if (pending.has(nonce)) world.moved += AMOUNT;
      pending.add(nonce);
      return settled;
    },
  };
};

const supporting =
  (kinds: unknown): FacilitatorFault =>
  (honest, world) => ({
    supported: async () =>
      world.nonsense !== null || world.isCut
        ? ({ status: 'supported', kinds } as SupportedResult)
        : honest.supported(),
  });
export const supportsNothing = supporting([]);
export const supportsUndefined = supporting(undefined);
export const supportsGarbage = supporting([{ hello: 'world' }]);

/** Looks whether there is a list of kinds, and not what is in it. */
export const passesEachKindOn: FacilitatorFault = (honest, world) => ({
  async supported() {
    const answer = await honest.supported();
    if (world.nonsense === null || world.isCut) return answer;
    const read = parsed(world.nonsense(JSON.stringify(await world.play.supported())));
    const isList = read?.['status'] === 'supported' && Array.isArray(read['kinds']);
    return isList ? (read as unknown as SupportedResult) : AWAY;
  },
});

/**
 * Looks the payment up right after the answer was lost. If the look-up says `unused`, it treats the payment as
 * unsent.
 */
export const believesTheFirstLookUp: FacilitatorFault = (honest) => ({
  async settle(...input) {
    const settled = await honest.settle(...input);
    if (settled.status !== 'unknown') return settled;
    const found = await honest.lookup(...input);
    return found.status === 'unused' ? AWAY : settled;
  },
});

export const takesEach402ForPoverty: FacilitatorFault = (honest, world) => ({
  settle: async (...input) =>
    world.httpStatus === 402 ? { status: 'insufficient_funds' } : honest.settle(...input),
});

/** Writes a field of its requests with a wrong type, so the service refuses every payment. */
export const writesAmountsAsNumbers: FacilitatorFault = () => {
  const refused = async () => ({ status: 'invalid', reason: 'amount must be a text' }) as const;
  return { verify: refused, settle: refused };
};
