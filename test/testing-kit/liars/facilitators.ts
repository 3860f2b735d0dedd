/** Facilitators on play money with one fault each. The conformance suite has to report every fault. */
import type {
  LookupResult,
  Payment,
  PaymentRequirements,
  SettleResult,
  VerifyResult,
} from '../../../src/ports/facilitator';
import { REQUIREMENTS } from '../../facilitator/support/requirements';
import { AMOUNT, SECRET, settledBy, type FacilitatorFault, type World } from './facilitator-world';

export const movesTwice: FacilitatorFault = (honest, world) => ({
  async settle(...input) {
    const settled = await honest.settle(...input);
    if (settled.status !== 'spent') return settled;
    world.moved += AMOUNT;
    return settledBy(input[0]);
  },
});

export const remembersTheNonceAlone: FacilitatorFault = (honest) => {
  const settledNonces = new Map<string, SettleResult>();
  return {
    async settle(payment, requirements) {
      const { nonce } = payment.authorization;
      const result = settledNonces.get(nonce) ?? (await honest.settle(payment, requirements));
      if (result.status === 'settled') settledNonces.set(nonce, result);
      return result;
    },
  };
};

/** Takes one field of the requirements from its own settings. */
export const goesByItsOwn =
  (name: 'payTo' | 'amount' | 'asset' | 'network'): FacilitatorFault =>
  (honest) => {
    const own = (asked: PaymentRequirements) => ({ ...asked, [name]: REQUIREMENTS[name] });
    return {
      verify: (payment, asked) => honest.verify(payment, own(asked)),
      settle: (payment, asked) => honest.settle(payment, own(asked)),
    };
  };

/** Looks the nonce up for its own requirements, and ignores those of the caller. */
export const looksForTheNonce: FacilitatorFault = (honest) => ({
  lookup: (payment) => honest.lookup(payment, REQUIREMENTS),
});

/** Does not check one bound of the time window of an authorization. */
export const forgets =
  (part: 'validAfter' | 'validBefore'): FacilitatorFault =>
  (honest) => ({
    async verify(...input) {
      const verified = await honest.verify(...input);
      const reason = part === 'validAfter' ? 'not_yet_valid' : 'expired';
      return verified.status === 'invalid' && verified.reason === reason ? { status: 'valid' } : verified;
    },
  });

export const isNamedByItsKey: FacilitatorFault = () => ({ name: `sound ${SECRET}` });

/** Checks the window before it asks whether the authorization is spent. */
export const checksWindowsFirst: FacilitatorFault = (honest, { play }) => ({
  async settle(...input) {
    const { validBefore } = input[0].authorization;
    const isPast = play.clock.now() / 1000 >= Number(validBefore);
    return isPast ? { status: 'invalid', reason: 'expired' } : honest.settle(...input);
  },
});

const isPoor = ({ authorization: { from, value } }: Payment, { play }: World): boolean =>
  play.balanceOf(from) < BigInt(value);
/** Checks the balance before it asks whether the authorization is spent. */
export const settlesByTheBalanceFirst: FacilitatorFault = (honest, world) => ({
  settle: async (...input) =>
    isPoor(input[0], world) && (await honest.verify(...input)).status !== 'invalid'
      ? { status: 'insufficient_funds' }
      : honest.settle(...input),
});
export const verifiesTheBalanceFirst: FacilitatorFault = (honest, world) => ({
  async verify(...input) {
    const verified = await honest.verify(...input);
    return verified.status === 'spent' && isPoor(input[0], world)
      ? { status: 'insufficient_funds' }
      : verified;
  },
});

const withoutTime =
  (name: 'spentAt' | 'asOf'): FacilitatorFault =>
  (honest) => ({
    async lookup(...input) {
      const { [name]: _left, ...found } = (await honest.lookup(...input)) as LookupResult & {
        spentAt?: number;
        asOf?: number;
      };
      return found as LookupResult;
    },
  });
export const tellsNoTimeOfSpending = withoutTime('spentAt');
export const tellsNoTimeOfTheChain = withoutTime('asOf');
export const tellsNoTimeOfTheUnused: FacilitatorFault = (honest) => ({
  async lookup(...input) {
    const found = await honest.lookup(...input);
    return found.status === 'unused' ? { status: 'unused' } : found;
  },
});

/** Answers with a fixed text as its reason, such as the error of an HTTP client with the key in it. */
const withReason =
  (reason: string): FacilitatorFault =>
  (honest) => ({
    async settle(...input) {
      const settled = await honest.settle(...input);
      return 'reason' in settled ? { ...settled, reason } : settled;
    },
  });
export const tellsItsKey = withReason(`POST https://node.example/?key=${SECRET} failed`);
export const tellsItsStack = withReason('it failed\n    at settle (facilitator.ts:1:2)');

/** Calls a payment `unused` after its window, even if the payment was settled. */
export const callsTheExpiredUnused: FacilitatorFault = (honest, { play }) => ({
  async lookup(...input) {
    const asOf = Math.floor(play.clock.now() / 1000);
    const isPast = asOf >= Number(input[0].authorization.validBefore);
    return isPast ? { status: 'unused', asOf } : honest.lookup(...input);
  },
});

export const claimsWhatStrangersPaid: FacilitatorFault = (honest) => ({
  async settle(...input) {
    const settled = await honest.settle(...input);
    return settled.status === 'spent' ? settledBy(input[0]) : settled;
  },
});

export const checksNothing: FacilitatorFault = (honest, world) => ({
  verify: async () => ({ status: 'valid' }),
  async settle(...input) {
    const settled = await honest.settle(...input);
    if (settled.status !== 'invalid') return settled;
    world.moved += AMOUNT;
    return settledBy(input[0]);
  },
});

/** Each facilitator remembers only what it has done itself. */
export const remembersAlone: FacilitatorFault = (honest, world) => {
  const settledHere = new Set<string>();
  return {
    async settle(...input) {
      const { nonce } = input[0].authorization;
      const settled = await honest.settle(...input);
      if (settled.status !== 'spent' || settledHere.has(nonce)) {
        if (settled.status === 'settled') settledHere.add(nonce);
        return settled;
      }
      settledHere.add(nonce);
      world.moved += AMOUNT;
      return settledBy(input[0]);
    },
  };
};

export const paysWhenItVerifies: FacilitatorFault = (honest) => ({
  async verify(...input) {
    const verified = await honest.verify(...input);
    if (verified.status === 'valid') await honest.settle(...input);
    return verified;
  },
});

export const rejectsWhenItIsAway: FacilitatorFault = (honest, world) => ({
  async verify(...input) {
    if (world.isCut) throw new Error('connect ECONNREFUSED');
    return honest.verify(...input);
  },
});

export const takesSpentForPaid: FacilitatorFault = (honest) => ({
  async lookup(...input) {
    const found = await honest.lookup(...input);
    return found.status === 'invalid' ? settledBy(input[0]) : found;
  },
});

export const movesNothing: FacilitatorFault = (honest) => ({
  async settle(...input) {
    const verified = await honest.verify(...input);
    return verified.status === 'valid' ? settledBy(input[0]) : verified;
  },
});

export const namesNoTransaction: FacilitatorFault = (honest) => ({
  async settle(...input) {
    const settled = await honest.settle(...input);
    return settled.status === 'settled' ? { ...settled, transaction: 'done' } : settled;
  },
});

export const neverAnswersWhenAway: FacilitatorFault = (honest, world) => ({
  settle: (...input) => (world.isCut ? new Promise(() => undefined) : honest.settle(...input)),
});

/** Verifies each nonce once, and repeats that answer for other requirements and after the payment was spent. */
export const remembersWhatItVerified: FacilitatorFault = (honest) => {
  const verified = new Map<string, VerifyResult>();
  return {
    async verify(payment, requirements) {
      const { nonce } = payment.authorization;
      const result = verified.get(nonce) ?? (await honest.verify(payment, requirements));
      verified.set(nonce, result);
      return result;
    },
  };
};

/** Judges the window by the clock of its machine, before it asks whether the authorization is spent. */
export const checksWindowsByItsMachine: FacilitatorFault = (honest) => ({
  async settle(...input) {
    const isPast = Date.now() / 1000 >= Number(input[0].authorization.validBefore);
    return isPast ? { status: 'invalid', reason: 'expired' } : honest.settle(...input);
  },
});

/** Gives a time as `spentAt` that is not the time of the settlement. */
const spentAtThe =
  (time: (payment: Payment) => number): FacilitatorFault =>
  (honest) => ({
    async lookup(...input) {
      const found = await honest.lookup(...input);
      if (found.status !== 'settled') return found;
      const spentAt = time(input[0]);
      return { ...found, spentAt, asOf: spentAt };
    },
  });
export const spentWhenLookedUp = spentAtThe(() => Math.floor(Date.now() / 1000));
export const spentWhenValid = spentAtThe(({ authorization }) => Number(authorization.validAfter));
