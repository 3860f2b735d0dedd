import type { Payout, PayoutOrder, PayoutProgress, PayoutState } from '../../src/ports/payout';
import { listOf, type Check } from '../conformance/check';
import { ContractBroken, shown } from '../conformance/failure';
import { createKit, DEFAULT_TIME_LIMIT_MS, type Kit } from '../conformance/kit';
import { faultsOfTarget, type Members } from '../conformance/members';
import type { ConformanceRunner } from '../conformance/runner';
import { comesTrue, type Watch } from '../conformance/watch';
import { faultOfAnswer, faultOfError, type PayoutFault } from './answers';
import { PAYOUT_CONTRACT, type PayoutSentence } from './contract';
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
    create: () => target.create(),
    faults: (made) => faultsOfTarget(made, 'payout', MEMBERS, TARGET),
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

/** A payout whose calls are observed. A malformed answer or a text that may not be shown ends the check. */
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
    const sentence = PAYOUT_CONTRACT.sentences[fault.sentence];
    watch.report(new ContractBroken(PAYOUT_CONTRACT, sentence, `Seen: ${fault.seen}`));
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
  if (result.status !== 'prepared') return check.by('order').fail(`prepared: ${JSON.stringify(result)}`);
  return Buffer.from(result.state, 'utf8').toString('utf8');
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

interface Following {
  /** The order that is paid. At no time may its wallet have received more than its amount. */
  order: PayoutOrder;
  payout?: Payout | undefined;
  /** The sentence that is broken if the wallet has received more. */
  twice?: PayoutSentence | undefined;
  /** What has happened before, for the report of a payout that never ends. */
  after?: string | undefined;
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
    // A check that cannot be answered now is repeated.
    progress = await payout.check(newest).catch((error: unknown): PayoutProgress => {
      refusal = error;
      return { status: 'pending' };
    });
    if (progress.status === 'renewed') states.push(progress.state);
    if (progress.status === 'pending' || progress.status === 'renewed')
      await submitted(payout, states.at(-1) ?? state);
    const amount = t.received === null ? 0n : await t.received(order);
    if (amount > order.amount)
      t.check
        .by(twice)
        .fail(
          `the wallet received ${amount} for an order of ${order.amount}, and the payout is ${progress.status}`,
        );
    return progress.status !== 'pending' && progress.status !== 'renewed';
  });
  if (!over) {
    const seen = refusal === null ? JSON.stringify(progress) : `its check rejects: ${shown(refusal)}`;
    // An adapter that has not prepared the payout acts as another process, which has only the state.
    const sentence = after !== undefined ? 'order' : payout === t.payout ? 'pending' : 'state';
    const begin = after === undefined ? '' : `${after}: `;
    t.check.by(sentence).fail(`${begin}submitted again and again, and still ${seen}`);
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
  t.check
    .by('became')
    .equal(end.progress.status, 'confirmed', `what became of it: ${JSON.stringify(end.progress)}`);
  const amount = t.received === null ? order.amount : await t.received(order);
  const sentence = amount > order.amount ? twice : 'became';
  t.check.by(sentence).equal(amount, order.amount, 'received when it is confirmed');
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

/** Checks that the payout has not ended: it is neither confirmed, failed nor lost. */
export function checkOpen({ check }: PayoutTest, progress: PayoutProgress, label: string): void {
  check.by('proof').oneOf(progress.status, ['pending', 'renewed'], label);
}
