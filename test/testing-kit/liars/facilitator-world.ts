/** Play money, and correct or faulty facilitators that move it, with the hooks of the conformance suite. */
import type { Facilitator, LookupResult, Payment, SettleResult } from '../../../src/ports/facilitator';
import type { FacilitatorUnderTest, HeldSubmissions, LostAnswer } from '../../../testing';
import type { SilentForm } from '../../../testing/conformance/silence';
import { REQUIREMENTS } from '../../facilitator/support/requirements';
import { onPlayMoney, playMoney } from '../../facilitator/support/target';

export const AMOUNT = BigInt(REQUIREMENTS.amount);

/** The state that all facilitators of one test share. */
export interface World {
  play: ReturnType<typeof playMoney>;
  /** The sum of the transfers that a faulty facilitator made without the token. */
  moved: bigint;
  isCut: boolean;
  /** How the answer to the next submission gets lost. */
  losesAnswer: LostAnswer | null;
  /** The HTTP status in place of the lost answer, if the test names one. */
  lostStatus: number | undefined;
  /** What the service answers in place of a body; `null` for the body itself. */
  nonsense: ((body: string) => string) | null;
  /** How the service keeps silent; `null` while it answers. */
  silence: SilentForm | null;
  /** Where the service redirects to; `null` while it does not. */
  location: string | null;
  /** The HTTP status of every answer. */
  httpStatus: number;
  /** The result in a body of the service; `null` if the facilitator does not understand the body. */
  read(body: string, method: Method): object | null;
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

/** Whether the test has made the service fail. The service then executes nothing. */
const isInTrouble = ({ isCut, silence, location, httpStatus }: World): boolean =>
  isCut || silence !== null || location !== null || httpStatus !== 200;

function soundOn(world: World): Facilitator {
  const { play } = world;
  /** The result as the facilitator reads it from the body of the service. */
  async function read<Result extends object>(
    method: Method,
    answering: Promise<Result>,
    otherwise: Result,
  ): Promise<Result> {
    const answer = await answering;
    if (world.nonsense === null) return answer;
    return (world.read(world.nonsense(JSON.stringify(answer)), method) ?? otherwise) as Result;
  }
  return {
    name: 'sound',
    verify: async (...input) => (isInTrouble(world) ? AWAY : read('verify', play.verify(...input), AWAY)),
    async settle(...input) {
      if (world.isCut) return AWAY;
      if (isInTrouble(world)) return { status: 'unknown', reason: `HTTP ${world.httpStatus}` };
      if (world.held !== null) return hold(world.held, input);
      const reason = world.losesAnswer;
      if (reason === 'late') world.late = input;
      const settled = reason === 'late' ? UNKNOWN : await read('settle', play.settle(...input), NONSENSE);
      if (reason === null) return settled;
      world.losesAnswer = null;
      return {
        status: 'unknown',
        reason: world.lostStatus === undefined ? reason : `HTTP ${world.lostStatus}`,
      };
    },
    async lookup(...input) {
      if (isInTrouble(world)) return UNKNOWN;
      if (world.held?.submissions.has(transactionOf(input[0])) === true) return PENDING;
      return read('lookup', lookUp(world, input), UNKNOWN);
    },
    supported: async () => (isInTrouble(world) ? AWAY : read('supported', play.supported(), AWAY)),
  };
}

async function lookUp({ play }: World, input: Submission): Promise<LookupResult> {
  const found = await play.lookup(...input);
  const asOf = Math.floor(play.clock.now() / 1000);
  return found.status === 'settled' || found.status === 'unused' ? { ...found, asOf } : found;
}

export type Method = keyof typeof FIELDS;

const isText = (value: unknown): boolean => typeof value === 'string';
const isTime = (value: unknown): boolean => Number.isInteger(value);
const REASON = { reason: isText };
/** The fields of each result that the service answers, and what each must contain. */
const FIELDS = {
  verify: { valid: {}, invalid: REASON, insufficient_funds: {}, spent: REASON },
  settle: { settled: { transaction: isText }, invalid: REASON, insufficient_funds: {}, spent: REASON },
  lookup: {
    settled: { transaction: isText, spentAt: isTime, asOf: isTime },
    unused: { asOf: isTime },
    invalid: REASON,
  },
  supported: {
    supported: {
      kinds: (kinds: unknown): boolean =>
        Array.isArray(kinds) &&
        kinds.every((kind) => isTime(kind?.x402Version) && isText(kind.scheme) && isText(kind.network)),
    },
  },
};

/** The result in the body. `null` if the body has no result, or one with a missing or wrong field. */
function understood(body: string, method: Method): object | null {
  const result = parsed(body);
  const fields = (FIELDS[method] as Record<string, object>)[String(result?.['status'])];
  if (result === null || fields === undefined) return null;
  const fit = Object.entries(fields).every(([name, fits]: [string, (value: unknown) => boolean]) =>
    fits(result[name]),
  );
  return fit ? result : null;
}

export function parsed(body: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' ? (value as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
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

/** The facilitators ask the service that `serve` returns. The suite reads the play money itself. */
export function facilitatorWith(
  fault: FacilitatorFault,
  serve: (play: World['play']) => World['play'] = (play) => play,
): FacilitatorUnderTest {
  const play = playMoney();
  const world: World = {
    play: serve(play),
    moved: 0n,
    isCut: false,
    losesAnswer: null,
    lostStatus: undefined,
    nonsense: null,
    silence: null,
    location: null,
    httpStatus: 200,
    read: understood,
    late: null,
    held: null,
  };
  const make = (): Facilitator => {
    const sound = soundOn(world);
    return { ...sound, ...fault(sound, world) };
  };
  return {
    ...onPlayMoney(play, {
      facilitator: make(),
      looksUp: true,
      times: ['spentAt', 'asOf'],
      secrets: [SECRET],
      another: async () => make(),
      async loseAnswer(how, status) {
        world.losesAnswer = how;
        world.lostStatus = status;
        return async () => {
          if (world.late !== null) await world.play.settle(...world.late);
        };
      },
      async failWith(status) {
        world.httpStatus = status;
        return async () => void (world.httpStatus = 200);
      },
      hold: async () => startHolding(world),
      async garble(nonsense) {
        world.nonsense = nonsense;
        return async () => void (world.nonsense = null);
      },
      async silence(form) {
        world.silence = form;
        return async () => void (world.silence = null);
      },
      async redirect(address) {
        world.location = address;
        return async () => void (world.location = null);
      },
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
