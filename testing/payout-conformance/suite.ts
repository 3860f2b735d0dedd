import type {
  Payout,
  PayoutOrder,
  PayoutPreparation,
  PayoutProgress,
  PayoutState,
} from '../../src/ports/payout';
import { listOf, type Check } from '../conformance/check';
import { ContractBroken, insteadOf, shown } from '../conformance/failure';
import { createKit, DEFAULT_TIME_LIMIT_MS, type Kit } from '../conformance/kit';
import { faultsOfTarget, type Members } from '../conformance/members';
import type { ConformanceRunner } from '../conformance/runner';
import { comesTrue, type Watch } from '../conformance/watch';
import { faultOfAnswer, faultOfError, type PayoutFault } from './answers';
import { PAYOUT_CONTRACT, type PayoutSentence } from './contract';
import { HOOKS } from './hook-names';
import type { PayoutConformanceTarget, PayoutUnderTest } from './types';

export interface PayoutContext {
  payout: Payout;
  /** A new order with the given changes. */
  order(change?: Partial<PayoutOrder>): PayoutOrder;
  /** What the order's wallet has received. `null` if no money moves. */
  received: ((order: PayoutOrder) => Promise<bigint>) | null;
  /** The hooks that the adapter's author has provided or declared absent. */
  hooks: Omit<PayoutUnderTest, 'payout' | 'order' | 'destroy'>;
  /** A second payout, as another process would have it. The same payout if there can be only one. */
  other(): Promise<Payout>;
  /** Whether `look` becomes true within half of the check's time limit. */
  until(look: () => Promise<boolean>): Promise<boolean>;
}

export type PayoutSuite = Kit<PayoutContext, PayoutSentence>;
export type PayoutTest = PayoutContext & { check: Check<PayoutSentence> };

const MEMBERS: Members<Payout> = {
  name: 'a text',
  playMoney: 'a value?',
  address: 'a value?',
  chainId: 'a method?',
  atOnce: 'a value?',
  prepare: 'a method',
  submit: 'a method',
  check: 'a method',
};

/** What the suite needs besides the adapter and its hooks. */
const TARGET = { order: 'a method' } as const;

export function createPayoutSuite(runner: ConformanceRunner, target: PayoutConformanceTarget): PayoutSuite {
  const { timeLimitMs = DEFAULT_TIME_LIMIT_MS } = target;
  return createKit<PayoutUnderTest, PayoutContext, PayoutSentence>(runner, {
    ...target,
    contract: PAYOUT_CONTRACT,
    endless: 'ends',
    rejected: (method) => (method === 'prepare' ? 'notNow' : method === 'submit' ? 'sends' : 'looks'),
    create: () => target.create(),
    faults: (made) => faultsOfTarget(made, 'payout', MEMBERS, TARGET),
    hooks: HOOKS,
    open(made, watch) {
      const { received, another, secrets } = made;
      const observed = (one: Payout): Payout => watched(one, watch, listOf(secrets));
      const payout = observed(made.payout);
      return {
        context: {
          payout,
          hooks: made,
          order: (change) => ({ ...made.order(), ...change }),
          received: received ? (order) => watch.call('received', () => received(order)) : null,
          other: async () => (another ? observed(await another()) : payout),
          until: (look) => comesTrue(look, timeLimitMs / 2),
        },
        end: () => made.destroy(),
      };
    },
  });
}

/** A payout whose calls are observed. A malformed answer or a text that must not be shown ends the check. */
function watched(payout: Payout, watch: Watch, secrets: readonly string[]): Payout {
  const { atOnce } = payout;
  return {
    name: payout.name,
    ...(atOnce !== undefined && { atOnce }),
    prepare: (...input) => answer('prepare', () => payout.prepare(...input)),
    submit: (state) => call('submit', () => payout.submit(state)),
    check: (state) => answer('check', () => payout.check(state)),
  };

  async function answer<T>(method: 'prepare' | 'check', make: () => Promise<T>): Promise<T> {
    const given = await call(method, make);
    return reported(faultOfAnswer(method, given, secrets)) ?? given;
  }

  async function call<T>(method: string, make: () => Promise<T>): Promise<T> {
    try {
      return await watch.call(method, make);
    } catch (error) {
      await reported(faultOfError(method, error, secrets));
      throw error;
    }
  }

  function reported(fault: PayoutFault | null): Promise<never> | null {
    if (fault === null) return null;
    watch.report(new ContractBroken(PAYOUT_CONTRACT, fault.sentence, fault));
    return watch.reported;
  }
}

// --- steps that several tests take ---

/**
 * Prepares an order that must be accepted, and returns its state. The state is encoded in UTF-8 and decoded again,
 * as when the service stores it.
 */
export async function prepared(
  { payout, check }: Pick<PayoutTest, 'payout' | 'check'>,
  order: PayoutOrder,
  outstanding: readonly PayoutState[] = [],
): Promise<PayoutState> {
  const result = await payout.prepare(order, outstanding);
  if (result.status !== 'prepared') return refusedToPrepare(check, result);
  return Buffer.from(result.state, 'utf8').toString('utf8');
}

const UNPREPARED = { refused: 'never', unavailable: 'notNow', busy: 'busy' } as const;

const FITS =
  'Answer `refused` only for an order that can never be paid. Compare the network and the addresses of the order with yours without regard to case, and see that the hook `order` gives an order that your service pays.';

/** Fails the check, because an order that can be paid was not prepared. `when` says what is special about it. */
export function refusedToPrepare(
  check: Check<PayoutSentence>,
  result: Exclude<PayoutPreparation, { status: 'prepared' }>,
  when = 'an order that the treasury can pay',
): never {
  return check
    .by(UNPREPARED[result.status])
    .fail(
      insteadOf(`\`prepare\` of ${when} answered ${shown(result)}`, '"prepared"'),
      result.status === 'refused'
        ? FITS
        : 'Ask the service in every `prepare`. Remember no balance and no failure of an earlier call.',
    );
}

/** Submits the state. A rejection does not tell whether the payout was sent. The caller checks that later. */
export async function submitted(payout: Payout, state: PayoutState): Promise<void> {
  await payout.submit(state).catch(() => undefined);
}

export interface Ended {
  progress: PayoutProgress;
  /** All states of the payout, the newest state last. */
  states: PayoutState[];
}

const SUBMIT_AGAIN =
  'Let every `submit` send the payout. Remember no payout as sent, and hold no lock, after a request that failed.';

interface Following {
  /** The order that is paid. The wallet of the order must never receive more than the amount of the order. */
  order: PayoutOrder;
  payout?: Payout | undefined;
  /** The sentence that is broken if the wallet has received more. */
  twice?: PayoutSentence | undefined;
  /** What has happened before, for the report of a payout that never ends. */
  after?: string | undefined;
}

/** Checks that the wallet has not received more than the amount of the order. */
export async function checkNotTwice(
  { received, check }: PayoutTest,
  order: PayoutOrder,
  { status }: PayoutProgress,
  twice: PayoutSentence = 'once',
): Promise<void> {
  const amount = received === null ? 0n : await received(order);
  const seen = `the wallet has received ${amount} base units, and \`check\` says ${status}`;
  if (amount > order.amount)
    check.by(twice).fail(insteadOf(seen, `${order.amount}, the amount of the order`));
}

/**
 * Submits and checks the payout as the service does, until the payout has ended. A payout that is paid twice and never
 * ends is reported at its second payment, not at the time limit.
 */
export async function ended(
  t: PayoutTest,
  state: PayoutState,
  { order, payout = t.payout, twice = 'once', after }: Following,
): Promise<Ended> {
  const states = [state];
  let progress: PayoutProgress = { status: 'pending' };
  let refusal: unknown = null;
  const over = await t.until(async () => {
    const newest = states.at(-1) ?? state;
    // `check` rejects if the progress is not known now, so the suite calls it again.
    progress = await payout.check(newest).catch((error: unknown): PayoutProgress => {
      refusal = error;
      return { status: 'pending' };
    });
    if (progress.status === 'renewed') states.push(progress.state);
    if (progress.status === 'pending' || progress.status === 'renewed')
      await submitted(payout, states.at(-1) ?? state);
    await checkNotTwice(t, order, progress, twice);
    return progress.status !== 'pending' && progress.status !== 'renewed';
  });
  if (!over) {
    const seen = refusal === null ? `answers ${shown(progress)}` : `rejects with ${shown(refusal)}`;
    // If `payout` is not `t.payout`, it acts as another process, which has only the state.
    const sentence = after !== undefined ? 'order' : payout === t.payout ? 'pending' : 'state';
    const begin = after === undefined ? '' : `${after}, `;
    const asked = `${begin}a payout was submitted and checked again and again, and \`check\` still ${seen}`;
    t.check
      .by(sentence)
      .fail(insteadOf(asked, '"confirmed"'), after === undefined ? undefined : SUBMIT_AGAIN);
  }
  return { progress, states };
}

/**
 * Checks that the payout ends as confirmed, and that the wallet has the ordered amount. `twice` is the sentence
 * that a larger amount breaks.
 */
export async function checkPaid(
  t: PayoutTest,
  order: PayoutOrder,
  state: PayoutState,
  { payout, twice = 'once', after }: Omit<Following, 'order'> = {},
): Promise<Ended> {
  const end = await ended(t, state, { order, payout, twice, after });
  const { status } = end.progress;
  t.check
    .by(status === 'lost' || status === 'failed' ? status : 'became')
    .equal(status, 'confirmed', `\`check\` of a payout that nothing prevents (${shown(end.progress)})`);
  const amount = t.received === null ? order.amount : await t.received(order);
  const sentence = amount > order.amount ? twice : 'paid';
  t.check
    .by(sentence)
    .equal(amount, order.amount, 'base units that the wallet has when `check` says confirmed');
  return end;
}

export async function checkReceived(
  { received, check }: PayoutTest,
  order: PayoutOrder,
  amount: bigint,
  label: string,
  sentence: PayoutSentence,
): Promise<void> {
  if (received !== null) check.by(sentence).equal(await received(order), amount, label);
}

/** The sentence that `check` breaks if it answers this status wrongly. */
export const SENTENCE_OF = {
  ...{ pending: 'pending', renewed: 'renewed', confirmed: 'paid', failed: 'failed', lost: 'proof' },
} as const satisfies Record<PayoutProgress['status'], PayoutSentence>;

/** Checks that the payout is not reported as ended, because it may still happen. */
export function checkOpen(
  { check }: PayoutTest,
  { status }: PayoutProgress,
  label: string,
  otherwise = '',
): void {
  if (status === 'pending' || status === 'renewed') return check.equal('open', 'open');
  const seen = insteadOf(`${label}: "${status}"`, `"pending" or "renewed"${otherwise}`);
  check.by(SENTENCE_OF[status]).fail(seen);
}
