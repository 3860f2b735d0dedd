import { createHash } from 'node:crypto';
import type { Payout, PayoutOrder, PayoutPreparation, PayoutProgress } from '../src/ports/payout';
import { requireResult, type StatusesOf } from './told-result';

/**
 * A payout without a chain. It pays every order until the test sets other results: a payout is pending until its state
 * is submitted, and then confirmed. Each preparation of an order has a state of its own.
 */
export interface FakePayout extends Payout {
  /** The orders that the payout was asked to prepare, oldest first. */
  readonly orders: readonly PayoutOrder[];
  /** The submitted states, oldest first. A state that was submitted twice is listed twice. */
  readonly submitted: readonly string[];
  /** Sets the result of `prepare` from now on. With `null`, `prepare` prepares each order. */
  prepareWith(result: PayoutPreparation | null): void;
  /** Sets the result of `check` from now on. With `null`, what was submitted is `confirmed`. */
  progressWith(progress: PayoutProgress | null): void;
}

const PREPARED: StatusesOf<PayoutPreparation> = {
  prepared: ['state', 'transaction'],
  refused: ['reason'],
  unavailable: ['reason'],
  busy: [],
};

const PROGRESS: StatusesOf<PayoutProgress> = {
  pending: [],
  renewed: ['state', 'transaction'],
  confirmed: ['transaction'],
  failed: ['transaction', 'reason'],
  lost: ['reason'],
};

/** The form of the states of all fakes. `check` confirms a state of this form that another fake has prepared. */
const OWN_STATE = /^0x[0-9a-f]{64}$/;
const FOREIGN = {
  status: 'pending',
  trouble: 'another payout adapter has prepared it',
  unknown: true,
} as const;

/** Makes a fake payout. `createTestMarket` uses one if the test gives no other payout. */
export function fakePayout(): FakePayout {
  const orders: PayoutOrder[] = [];
  const submitted: string[] = [];
  const prepared = new Set<string>();
  let preparedWith: PayoutPreparation | null = null;
  let progress: PayoutProgress | null = null;

  function progressOf(state: string): PayoutProgress {
    if (submitted.includes(state)) return { status: 'confirmed', transaction: state };
    if (prepared.has(state)) return { status: 'pending' };
    return OWN_STATE.test(state) ? { status: 'confirmed', transaction: state } : FOREIGN;
  }

  return {
    name: 'fake',
    orders,
    submitted,
    async prepare(order) {
      orders.push(order);
      if (preparedWith !== null) return preparedWith;
      const time = orders.filter(({ id }) => id === order.id).length;
      const transaction = transactionOf(order, time);
      prepared.add(transaction);
      return { status: 'prepared', state: transaction, transaction };
    },
    async submit(state) {
      submitted.push(state);
    },
    check: async (state) => progress ?? progressOf(state),
    prepareWith(result) {
      if (result !== null) requireResult('payout.prepareWith', result, PREPARED);
      preparedWith = result;
    },
    progressWith(next) {
      if (next !== null) requireResult('payout.progressWith', next, PROGRESS);
      progress = next;
    },
  };
}

/** A text in the form of a transaction hash, another one for each time that the order is prepared. */
function transactionOf({ id }: PayoutOrder, time: number): string {
  const again = time === 1 ? '' : `, time ${time}`;
  return `0x${createHash('sha256').update(`fake payout ${id}${again}`).digest('hex')}`;
}
