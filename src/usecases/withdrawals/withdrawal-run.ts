/** The state that the steps of one run over the withdrawals share, and their writes under the lease. */
import type { Withdrawal } from '../../domain/withdrawals';
import { steadyNow } from '../../ports/clock';
import type { Logger } from '../../ports/logger';
import type { Payout } from '../../ports/payout';
import type { Transaction } from '../../ports/storage';
import type { Timers } from '../../ports/timers';
import type { Context } from '../context';
import { requireSameMoney } from '../payments/money-of-books';
import { WITHDRAWALS_LEASE, WITHDRAWALS_LEASE_MS } from './withdrawals-lease';

export type WorkContext = Pick<
  Context,
  'storage' | 'clock' | 'logger' | 'config' | 'facilitator' | 'eventsAppended'
> & {
  payout: Payout;
  timers: Timers;
  /** Aborted when the service closes. */
  signal?: AbortSignal | undefined;
};

/**
 * The result of a step:
 * - `progressed`: the withdrawal has a new state, and a further step may follow at once.
 * - `waiting`: a further step makes sense only later.
 * - `failed`: the payout adapter or the storage is unavailable, or answered with an error.
 * - `busy`: the payout adapter prepares no transfer for this withdrawal now.
 * - `no money`: the books allow no payout now.
 * - `lease lost`: another instance has the lease, or has had it since the withdrawals were read.
 */
export type WithdrawalStep = 'progressed' | 'waiting' | 'failed' | 'busy' | 'no money' | 'lease lost';

export interface StepMemory {
  /** By the id of the withdrawal: why the payout may not end without an operator. */
  troubles: Map<number, string>;
  /** The ids of withdrawals whose last step failed. They are worked on last. */
  failing: Set<number>;
  /** The withdrawal and the message of the last log line about a withdrawal that the books hold up. */
  waitsForMoney: { id: number; message: string } | null;
  /** When the log last said that the books hold another kind of money, on the steady clock. */
  otherMoneyLoggedAt: number;
}

export type Writes = (transaction: Transaction, now: number) => Promise<void>;

export interface RunState extends WorkContext {
  owner: string;
  troubles: Map<number, string>;
  memory: StepMemory;
  /** The states of the payouts that have not ended, by withdrawal id. */
  outstanding: Map<number, string>;
  /**
   * The token of the lease under which the withdrawals were read. A different token means that another instance
   * had the lease since then, and may have changed the withdrawals.
   */
  token: number | null;
  insolvency: string | null | undefined;
}

/**
 * Runs `work` in a transaction under the lease. `null` when another instance has the lease, or has had it since
 * the withdrawals were read.
 */
export function underLease<T>(
  run: RunState,
  work: (transaction: Transaction, now: number) => Promise<T>,
): Promise<T | null> {
  return run.storage.transaction(async (transaction) => {
    const now = run.clock.now();
    const until = now + WITHDRAWALS_LEASE_MS;
    const lease = await transaction.leases.acquire({ name: WITHDRAWALS_LEASE, owner: run.owner, now, until });
    if (lease === null || (run.token !== null && lease.token !== run.token)) return null;
    run.token = lease.token;
    return work(transaction, now);
  });
}

const OTHER_MONEY_LOGGED_MS = 5 * 60_000;

/**
 * Rejects if the books hold another kind of money than this service uses now. The error is logged at most once in
 * `OTHER_MONEY_LOGGED_MS`.
 */
export async function requireOwnMoney(run: RunState, reader: Pick<Transaction, 'settings'>): Promise<void> {
  const { memory, logger, clock } = run;
  const error: Logger['error'] = (fields, message) => {
    const now = steadyNow(clock);
    if (Math.abs(now - memory.otherMoneyLoggedAt) < OTHER_MONEY_LOGGED_MS) return;
    memory.otherMoneyLoggedAt = now;
    logger.error(fields, message);
  };
  await requireSameMoney(reader, { ...run, logger: { error } });
}

/** Writes the change if the stored withdrawal still has the status and the payout state of `before`. */
export async function change(
  run: RunState,
  before: Withdrawal,
  after: Withdrawal,
  book: Writes = () => Promise.resolve(),
): Promise<WithdrawalStep> {
  const step = await underLease<WithdrawalStep>(run, async (transaction, now) => {
    const stored = await transaction.withdrawals.lock(before.id);
    if (stored?.status !== before.status || stored.payoutState !== before.payoutState) return 'waiting';
    await book(transaction, now);
    await transaction.withdrawals.update({ ...after, updatedAt: now });
    return 'progressed';
  });
  return step ?? 'lease lost';
}
