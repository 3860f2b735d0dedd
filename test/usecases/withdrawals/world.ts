import type { Payout, PayoutOrder } from '../../../src/ports/payout';
import type { Storage } from '../../../src/ports/storage';
import type { OperatorContext } from '../../../src/usecases/context';
import { processWithdrawals } from '../../../src/usecases/withdrawals/process-withdrawals';
import { requestWithdrawal } from '../../../src/usecases/withdrawals/request-withdrawal';
import type { WithdrawalView } from '../../../src/views/withdrawal';
import { ALICE, createWorld, USD, type World } from '../resolution/world';

export interface Outside {
  payout: Payout;
  /** The sum in micro-USD. A prepared state counts once, however often the state was sent. */
  arrived(): bigint;
  sent: Set<string>;
  /** Replaces a prepared state by another state for the same order. Afterwards only the new state can arrive. */
  replace(state: string, by: string): void;
}

/** Each prepared state is another payment, so two states for one order would pay the order twice. */
export function outside(): Outside {
  const orders = new Map<string, PayoutOrder>();
  const sent = new Set<string>();
  let prepared = 0;
  return {
    sent,
    replace(state, by) {
      const order = orders.get(state);
      if (order !== undefined) orders.set(by, order);
      orders.delete(state);
    },
    arrived: () => [...sent].reduce((sum, state) => sum + (orders.get(state)?.amount ?? 0n), 0n),
    payout: {
      name: 'counting',
      async prepare(order) {
        prepared += 1;
        const state = `payment ${prepared} of withdrawal ${order.id}`;
        orders.set(state, order);
        return { status: 'prepared', state, transaction: null };
      },
      async submit(state) {
        sent.add(state);
      },
      check: async (state) =>
        sent.has(state) ? { status: 'confirmed', transaction: `hash of ${state}` } : { status: 'pending' },
    },
  };
}

export interface WithdrawalWorld extends World {
  outside: Outside;
  withPayout: OperatorContext;
  request(amount: bigint, idempotencyKey?: string | null): Promise<WithdrawalView>;
  process(context?: OperatorContext, owner?: string): Promise<void>;
  account(): Promise<{ balance: bigint; reserved: bigint }>;
  status(id: number): Promise<string | undefined>;
}

export async function withdrawalWorld(): Promise<WithdrawalWorld> {
  const world = await createWorld();
  const outsideWorld = outside();
  const withPayout: OperatorContext = { ...world.context, payout: outsideWorld.payout };
  await world.fund(ALICE, 100n);
  return {
    ...world,
    outside: outsideWorld,
    withPayout,
    async request(amount, idempotencyKey = null) {
      return (await requestWithdrawal(withPayout, { wallet: ALICE, amount, idempotencyKey })).view;
    },
    async process(context = withPayout, owner = 'worker') {
      while ((await processWithdrawals(context, { owner })).progressed);
    },
    async account() {
      const account = await world.storage.read((reader) => reader.accounts.find(`wallet:${ALICE}`));
      return { balance: account?.balance ?? 0n, reserved: account?.reserved ?? 0n };
    },
    async status(id) {
      return (await world.storage.read((reader) => reader.withdrawals.find(id)))?.status;
    },
  };
}

export class Died extends Error {}

/**
 * The process dies at its `at`-th call of the storage or the payout, before or after the call has its effect.
 * A dead process does nothing more.
 */
export function dying(
  context: OperatorContext,
  at: number,
  when: 'before' | 'after',
): { context: OperatorContext; calls(): number } {
  let calls = 0;
  async function call<T>(effect: () => Promise<T>): Promise<T> {
    calls += 1;
    if (calls > at || (calls === at && when === 'before')) throw new Died('the process is dead');
    const result = await effect();
    if (calls === at) throw new Died('the process has died');
    return result;
  }
  const { storage, payout } = context;
  if (payout === null) throw new Error('there is nothing to pay with');
  const mortalStorage: Storage = {
    ...storage,
    read: (work) => call(() => storage.read(work)),
    transaction: (work) => call(() => storage.transaction(work)),
  };
  const mortalPayout: Payout = {
    name: payout.name,
    prepare: (order, outstanding) => call(() => payout.prepare(order, outstanding)),
    submit: (state) => call(() => payout.submit(state)),
    check: (state) => call(() => payout.check(state)),
  };
  return { context: { ...context, storage: mortalStorage, payout: mortalPayout }, calls: () => calls };
}

export const LEASE_OVER_MS = 61_000;
export { ALICE, USD };
