/** Play money, and correct or faulty facilitators that move it, with the hooks of the conformance suite. */
import type { Facilitator, Payment, SettleResult } from '../../../src/ports/facilitator';
import type { FacilitatorUnderTest, HeldSubmissions, LostAnswer } from '../../../testing';
import { REQUIREMENTS } from '../../facilitator/support/requirements';
import { onPlayMoney, playMoney } from '../../facilitator/support/target';

export const AMOUNT = BigInt(REQUIREMENTS.amount);

/** The state that all facilitators of one test share. */
export interface World {
  play: ReturnType<typeof playMoney>;
  /** Transfers that were made without the rules of the token. */
  moved: bigint;
  isCut: boolean;
  /** How the answer to the next submission gets lost. */
  losesAnswer: LostAnswer | null;
  isGarbled: boolean;
  /** The HTTP status of every answer. */
  httpStatus: number;
  /** The submission whose connection broke before it arrived. */
  late: Submission | null;
  held: Held | null;
}

/** Payments that were submitted and that the world settles only after `release`. */
interface Held {
  submissions: Map<string, Submission>;
  arrived: Promise<void>;
  arrive(): void;
}

type Submission = Parameters<Facilitator['settle']>;

export type FacilitatorFault = (sound: Facilitator, world: World) => Partial<Facilitator>;

export const SECRET = `0x${'5e'.repeat(32)}`;
export const AWAY = { status: 'unavailable', reason: 'away' } as const;
const UNKNOWN = { status: 'unknown', reason: 'no answer' } as const;
const PENDING = { status: 'unknown', reason: 'pending' } as const;
const NONSENSE = { status: 'unknown', reason: 'nonsense' } as const;

function soundOn(world: World): Facilitator {
  const { play } = world;
  return {
    name: 'sound',
    verify: async (...input) =>
      world.isCut || world.isGarbled || world.httpStatus !== 200 ? AWAY : play.verify(...input),
    async settle(...input) {
      if (world.isCut) return AWAY;
      if (world.isGarbled) return NONSENSE;
      if (world.httpStatus !== 200) return { status: 'unknown', reason: `HTTP ${world.httpStatus}` };
      if (world.held !== null) return hold(world.held, input);
      const reason = world.losesAnswer;
      if (reason === 'late') world.late = input;
      const settled = reason === 'late' ? UNKNOWN : await play.settle(...input);
      if (reason === null) return settled;
      world.losesAnswer = null;
      return { status: 'unknown', reason };
    },
    async lookup(...input) {
      if (world.isCut || world.isGarbled || world.httpStatus !== 200) return UNKNOWN;
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

/** From now on, the world does not settle submissions until `release` is called. */
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
    httpStatus: 200,
    late: null,
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
      async loseAnswer(how) {
        world.losesAnswer = how;
        return async () => {
          if (world.late !== null) await world.play.settle(...world.late);
        };
      },
      async failWith(status) {
        world.httpStatus = status;
        return async () => void (world.httpStatus = 200);
      },
      hold: async () => startHolding(world),
      garble: async () => void (world.isGarbled = true),
      cutOff: async () => void (world.isCut = true),
      destroy: async () => undefined,
    }),
    received: async () => world.play.balanceOf(REQUIREMENTS.payTo) + world.moved,
  };
}

export const transactionOf = ({ authorization }: Payment): string => authorization.nonce;
export const settledBy = (payment: Payment) =>
  ({ status: 'settled', transaction: transactionOf(payment) }) as const;

export const sound: FacilitatorFault = () => ({});
