import { createHash } from 'node:crypto';
import type { Payout, PayoutOrder, PayoutPreparation, PayoutProgress } from '../src/ports/payout';

/** A payout without a chain: every order is paid until the test says otherwise. */
export interface FakePayout extends Payout {
  /** What it was asked to prepare, oldest first. */
  readonly orders: readonly PayoutOrder[];
  /** The states that were submitted, oldest first; one that is submitted again is there again. */
  readonly submitted: readonly string[];
  /** What `prepare` answers from now on; `null`: it prepares. */
  prepareWith(result: PayoutPreparation | null): void;
  /** What `check` answers from now on; `null`: `confirmed`. */
  progressWith(progress: PayoutProgress | null): void;
}

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
      prepared = result;
    },
    progressWith(next) {
      progress = next;
    },
  };
}
