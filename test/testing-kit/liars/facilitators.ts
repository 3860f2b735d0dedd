/** Facilitators on play money with one fault each. The conformance suite has to report every fault. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type {
  Facilitator,
  LookupResult,
  Payment,
  PaymentRequirements,
  SettleResult,
  SupportedResult,
} from '../../../src/ports/facilitator';
import type { FacilitatorUnderTest, HeldSubmissions, LostAnswer } from '../../../testing';
import { REQUIREMENTS } from '../../facilitator/support/requirements';
import { onPlayMoney, playMoney } from '../../facilitator/support/target';

const AMOUNT = BigInt(REQUIREMENTS.amount);

/** What all handles share. */
interface World {
  play: ReturnType<typeof playMoney>;
  /** Transfers that were made without the rules of the token. */
  moved: bigint;
  isCut: boolean;
  /** How the answer to the next submission gets lost. */
  losesAnswer: LostAnswer | null;
  isGarbled: boolean;
  held: Held | null;
}

/** What was submitted and is held back. */
interface Held {
  submissions: Map<string, Submission>;
  arrived: Promise<void>;
  arrive(): void;
}

type Submission = Parameters<Facilitator['settle']>;

export type FacilitatorFault = (sound: Facilitator, world: World) => Partial<Facilitator>;

export const SECRET = `0x${'5e'.repeat(32)}`;
const AWAY = { status: 'unavailable', reason: 'away' } as const;
const UNKNOWN = { status: 'unknown', reason: 'no answer' } as const;
const PENDING = { status: 'unknown', reason: 'pending' } as const;
const NONSENSE = { status: 'unknown', reason: 'nonsense' } as const;

function soundOn(world: World): Facilitator {
  const { play } = world;
  return {
    name: 'sound',
    verify: async (...input) => (world.isCut || world.isGarbled ? AWAY : play.verify(...input)),
    async settle(...input) {
      if (world.isCut) return AWAY;
      if (world.isGarbled) return NONSENSE;
      if (world.held !== null) return hold(world.held, input);
      const settled = await play.settle(...input);
      if (world.losesAnswer === null) return settled;
      const reason = world.losesAnswer;
      world.losesAnswer = null;
      return { status: 'unknown', reason };
    },
    async lookup(...input) {
      if (world.isCut || world.isGarbled) return UNKNOWN;
      if (world.held?.submissions.has(transactionOf(input[0])) === true) return PENDING;
      const found = await play.lookup(...input);
      const asOf = Math.floor(play.clock.now() / 1000);
      return found.status === 'settled' || found.status === 'unused' ? { ...found, asOf } : found;
    },
    supported: () => play.supported(),
  };
}

function hold({ submissions, arrive }: Held, input: Submission): SettleResult {
  submissions.set(transactionOf(input[0]), input);
  arrive();
  return PENDING;
}

/** From now on what is submitted is held back. */
function startHolding(world: World): HeldSubmissions {
  let arrive: () => void = () => undefined;
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  const held: Held = { submissions: new Map(), arrived, arrive };
  world.held = held;
  return {
    arrived: () => arrived,
    async release() {
      world.held = null;
      for (const submission of held.submissions.values()) await world.play.settle(...submission);
    },
  };
}

export function facilitatorWith(fault: FacilitatorFault): FacilitatorUnderTest {
  const world: World = {
    play: playMoney(),
    moved: 0n,
    isCut: false,
    losesAnswer: null,
    isGarbled: false,
    held: null,
  };
  const make = (): Facilitator => {
    const sound = soundOn(world);
    return { ...sound, ...fault(sound, world) };
  };
  return {
    ...onPlayMoney(world.play, {
      facilitator: make(),
      looksUp: true,
      times: ['spentAt', 'asOf'],
      secrets: [SECRET],
      another: async () => make(),
      loseAnswer: async (how) => void (world.losesAnswer = how),
      hold: async () => startHolding(world),
      garble: async () => void (world.isGarbled = true),
      cutOff: async () => void (world.isCut = true),
      destroy: async () => undefined,
    }),
    received: async () => world.play.balanceOf(REQUIREMENTS.payTo) + world.moved,
  };
}

const transactionOf = ({ authorization }: Payment): string => authorization.nonce;
const settledBy = (payment: Payment) => ({ status: 'settled', transaction: transactionOf(payment) }) as const;

export const sound: FacilitatorFault = () => ({});

export const movesTwice: FacilitatorFault = (honest, world) => ({
  async settle(...input) {
    const settled = await honest.settle(...input);
    if (settled.status !== 'spent') return settled;
    world.moved += AMOUNT;
    return settledBy(input[0]);
  },
});

/** Remembers results by the nonce alone, without the payer. */
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

/** The most expensive fault: the caller lets the payer pay again. */
export const callsLostAnswersUnavailable: FacilitatorFault = (honest) => ({
  async settle(...input) {
    const settled = await honest.settle(...input);
    return settled.status === 'unknown' ? AWAY : settled;
  },
});

/** Knows a broken connection, and takes any other failure for one before the submission. */
export const callsUnavailable =
  (how: LostAnswer): FacilitatorFault =>
  (honest) => ({
    async settle(...input) {
      const settled = await honest.settle(...input);
      return settled.status === 'unknown' && settled.reason === how ? AWAY : settled;
    },
  });

/** Has no time limit of its own. */
export const waitsForLostAnswers: FacilitatorFault = (honest) => ({
  async settle(...input) {
    const settled = await honest.settle(...input);
    const isSilent = settled.status === 'unknown' && settled.reason === 'silence';
    return isSilent ? new Promise(() => undefined) : settled;
  },
});

/** Takes HTTP 200 for success and ignores its body. */
export const takesNonsenseForSettled: FacilitatorFault = (honest) => ({
  async settle(...input) {
    const settled = await honest.settle(...input);
    return settled.status === 'unknown' && settled.reason === 'nonsense' ? settledBy(input[0]) : settled;
  },
});

/** Reads recipient, amount, token or network from its own settings. */
export const goesByItsOwn =
  (name: 'payTo' | 'amount' | 'asset' | 'network'): FacilitatorFault =>
  (honest) => {
    const own = (asked: PaymentRequirements) => ({ ...asked, [name]: REQUIREMENTS[name] });
    return {
      verify: (payment, asked) => honest.verify(payment, own(asked)),
      settle: (payment, asked) => honest.settle(payment, own(asked)),
    };
  };

/** Looks for the nonce and ignores who was paid. */
export const looksForTheNonce: FacilitatorFault = (honest) => ({
  lookup: (payment) => honest.lookup(payment, REQUIREMENTS),
});

/** Forgets a part of the window. */
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

export const callsLostAnswersInvalid: FacilitatorFault = (honest) => ({
  async settle(...input) {
    const settled = await honest.settle(...input);
    return settled.status === 'unknown' ? { status: 'invalid', reason: 'it failed' } : settled;
  },
});

/** Checks the window before it asks whether the authorization is spent. */
export const checksWindowsFirst: FacilitatorFault = (honest, { play }) => ({
  async settle(...input) {
    const { validBefore } = input[0].authorization;
    const isPast = play.clock.now() / 1000 >= Number(validBefore);
    return isPast ? { status: 'invalid', reason: 'expired' } : honest.settle(...input);
  },
});

/** Checks the balance before it asks whether the authorization is spent. */
const isPoor = ({ authorization: { from, value } }: Payment, { play }: World): boolean =>
  play.balanceOf(from) < BigInt(value);
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

/** Its reasons are the errors of a client, with the address of the node and the key in it. */
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

/** Calls a payment `unused` at a time of the chain at which its window is over. */
export const callsTheExpiredUnused: FacilitatorFault = (honest, { play }) => ({
  async lookup(...input) {
    const asOf = Math.floor(play.clock.now() / 1000);
    const isPast = asOf >= Number(input[0].authorization.validBefore);
    return isPast ? { status: 'unused', asOf } : honest.lookup(...input);
  },
});

export const takesSilenceForUnused: FacilitatorFault = (honest) => ({
  async lookup(...input) {
    const found = await honest.lookup(...input);
    return found.status === 'unknown' ? { status: 'unused' } : found;
  },
});

/** Asks for a receipt, and takes none for a payment that was never submitted. */
export const callsPendingUnused: FacilitatorFault = (honest) => ({
  async lookup(...input) {
    const found = await honest.lookup(...input);
    return found.status === 'unknown' && found.reason === 'pending' ? { status: 'unused' } : found;
  },
});

/** Knows a submission while it waits for it, and forgets it when it has answered. */
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
      world.isGarbled || world.isCut
        ? ({ status: 'supported', kinds } as SupportedResult)
        : honest.supported(),
  });
export const supportsNothing = supporting([]);
export const supportsUndefined = supporting(undefined);
export const supportsGarbage = supporting([{ hello: 'world' }]);

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
