import { createHash } from 'node:crypto';
import type { Payout, PayoutOrder, PayoutPreparation, PayoutProgress } from '../src/ports/payout';
import { requireResult, type StatusesOf } from './told-result';

/** A payout without a chain. It pays every order until the test sets other results. */
export interface FakePayout extends Payout {
  /** The orders that the payout was asked to prepare, oldest first. */
  readonly orders: readonly PayoutOrder[];
  /** The submitted states, oldest first. A state that was submitted twice is listed twice. */
  readonly submitted: readonly string[];
  /** Sets the result of `prepare` from now on. With `null`, `prepare` prepares each order. */
  prepareWith(result: PayoutPreparation | null): void;
  /** Sets the result of `check` from now on. With `null`, the result is `confirmed`. */
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

/** Makes a fake payout. `createTestMarket` uses one if the test gives no other payout. */
export function fakePayout(): FakePayout {
  const orders: PayoutOrder[] = [];
  const submitted: string[] = [];
  let prepared: PayoutPreparation | null = null;
  let progress: PayoutProgress | null = null;
  return {
    name: 'fake',
    orders,
    submitted,
    async prepare(order) {
      orders.push(order);
      const transaction = `0x${createHash('sha256').update(`fake payout ${order.id}`).digest('hex')}`;
      return prepared ?? { status: 'prepared', state: transaction, transaction };
    },
    async submit(state) {
      submitted.push(state);
    },
    check: async (state) => progress ?? { status: 'confirmed', transaction: state },
    prepareWith(result) {
      if (result !== null) requireResult('payout.prepareWith', result, PREPARED);
      prepared = result;
    },
    progressWith(next) {
      if (next !== null) requireResult('payout.progressWith', next, PROGRESS);
      progress = next;
    },
  };
}
