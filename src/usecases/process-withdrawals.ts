/**
 * Pays withdrawals through the payout port, so that each is paid once whatever dies when:
 *
 * - One instance at a time, under a lease; every transaction here renews it, and writes nothing once it is lost.
 * - What the payout has prepared is stored before it is sent. A dead process leaves either nothing, and the withdrawal is
 *   prepared afresh, or a stored state, and the same is sent again, which the world outside takes once.
 * - The books move when the payout is confirmed, in one transaction with the end of the withdrawal.
 */
import { accountChanges, walletAccount, withdrawalPosting } from '../domain/ledger';
import type { Withdrawal } from '../domain/withdrawals';
import type { Payout, PayoutProgress } from '../ports/payout';
import type { Transaction } from '../ports/storage';
import { balanceEvent } from '../views/events';
import type { Context } from './context';

const LEASE = 'withdrawals';
const LEASE_MS = 60_000;
const PAGE = 100;

export interface ProcessedWithdrawals {
  /** Open ones that were looked at. */
  open: number;
  /** Whether any of them took a step: then the next run may take another. */
  progressed: boolean;
}

type WorkContext = Pick<Context, 'storage' | 'clock' | 'logger' | 'config' | 'eventsAppended'> & {
  payout: Payout;
};

/** One step for every open withdrawal. Does nothing while another instance holds the lease. */
export async function processWithdrawals(
  context: Context,
  { owner, signal }: { owner: string; signal?: AbortSignal },
): Promise<ProcessedWithdrawals> {
  const { payout } = context;
  const result: ProcessedWithdrawals = { open: 0, progressed: false };
  if (payout === null) return result;
  const worker = createWorker({ ...context, payout }, owner);
  const open = await worker.openWithdrawals();
  if (open === null) return result;
  for (const withdrawal of open) {
    if (signal?.aborted === true) break;
    result.open += 1;
    const step = await worker.step(withdrawal);
    if (step === 'lease lost') break;
    result.progressed ||= step === 'progressed';
  }
  return result;
}

type Step = 'progressed' | 'waiting' | 'lease lost';

function createWorker(context: WorkContext, owner: string) {
  const { storage, clock, logger, payout, config } = context;
  /** By withdrawal: the payouts that are stored and not at their end. */
  const outstanding = new Map<number, string>();
  /** Of the lease under which the withdrawals were read: whoever had it since may have changed them. */
  let token: number | null = null;

  /** Writes under the lease; `null` when another instance has it, or has had it meanwhile. */
  function underLease<T>(work: (transaction: Transaction, now: number) => Promise<T>): Promise<T | null> {
    return storage.transaction(async (transaction) => {
      const now = clock.now();
      const until = now + LEASE_MS;
      const lease = await transaction.leases.acquire({ name: LEASE, owner, now, until });
      if (lease === null || (token !== null && lease.token !== token)) return null;
      token = lease.token;
      return work(transaction, now);
    });
  }

  async function openWithdrawals(): Promise<Withdrawal[] | null> {
    const leased = await underLease(async () => true);
    if (leased === null) return null;
    const open: Withdrawal[] = [];
    for (;;) {
      const afterId = open.at(-1)?.id ?? 0;
      const page = await storage.read((reader) => reader.withdrawals.listOpen({ afterId, limit: PAGE }));
      open.push(...page);
      if (page.length < PAGE) break;
    }
    for (const { id, payoutState } of open) if (payoutState !== null) outstanding.set(id, payoutState);
    return open;
  }

  /** A withdrawal that fails to take its step does not keep the others from theirs. */
  async function step(withdrawal: Withdrawal): Promise<Step> {
    try {
      return withdrawal.payoutState === null
        ? await prepare(withdrawal)
        : await advance(withdrawal, withdrawal.payoutState);
    } catch (err) {
      logger.warn({ err, withdrawalId: withdrawal.id, payout: payout.name }, 'a withdrawal could not go on');
      return 'waiting';
    }
  }

  async function prepare(withdrawal: Withdrawal): Promise<Step> {
    const { id, wallet: to, amount } = withdrawal;
    const order = { id, to, amount, network: config.network, asset: config.asset };
    const prepared = await payout.prepare(order, [...outstanding.values()]);
    switch (prepared.status) {
      case 'prepared':
        return send(withdrawal, prepared.state, prepared.transaction);
      case 'refused':
        return fail(withdrawal, null, prepared.reason);
      case 'unavailable': {
        const fields = { withdrawalId: id, payout: payout.name, reason: prepared.reason };
        logger.warn(fields, 'a withdrawal waits: the payout is unavailable');
        return 'waiting';
      }
    }
  }

  /** Stored first: from here on it may have been sent. */
  async function send(withdrawal: Withdrawal, state: string, transaction: string | null): Promise<Step> {
    const sent = { ...withdrawal, status: 'sent' as const, payoutState: state, transaction };
    // Known before it is stored: where the answer to the COMMIT is lost it may be stored all the same, and the next one must not be
    // prepared as if it were not.
    outstanding.set(withdrawal.id, state);
    const stored = await change(withdrawal, sent);
    if (stored !== 'progressed') return stored;
    await payout.submit(state);
    return 'progressed';
  }

  async function advance(withdrawal: Withdrawal, state: string): Promise<Step> {
    const progress: PayoutProgress = await payout.check(state);
    switch (progress.status) {
      case 'pending':
        await payout.submit(state);
        return 'waiting';
      case 'renewed':
        return send(withdrawal, progress.state, progress.transaction);
      case 'confirmed':
        return confirm(withdrawal, progress.transaction);
      case 'failed':
        return fail(withdrawal, progress.transaction, progress.reason);
      case 'lost':
        logger.warn({ withdrawalId: withdrawal.id, reason: progress.reason }, 'a payout is prepared afresh');
        return change(withdrawal, { ...withdrawal, status: 'pending', payoutState: null, transaction: null });
    }
  }

  async function confirm(withdrawal: Withdrawal, transaction: string | null): Promise<Step> {
    const confirmed = { ...withdrawal, status: 'confirmed' as const, payoutState: null, transaction };
    return end(withdrawal, confirmed, async (tx, now) => {
      const posting = withdrawalPosting({ ...withdrawal, createdAt: now });
      const wallet = walletAccount(withdrawal.wallet);
      const { accounts } = accountChanges([posting]);
      const changes = accounts.map((account) =>
        account.id === wallet ? { ...account, reserved: -withdrawal.amount } : account,
      );
      await tx.accounts.lock([wallet, 'external'], now);
      await tx.accounts.apply(changes, now);
      await tx.entries.insert([posting]);
    });
  }

  /** Gives the reservation back. */
  async function fail(withdrawal: Withdrawal, transaction: string | null, reason: string): Promise<Step> {
    logger.warn({ withdrawalId: withdrawal.id, transaction, reason }, 'a withdrawal has failed');
    const failed = { ...withdrawal, status: 'failed' as const, payoutState: null, transaction, reason };
    return end(withdrawal, failed, async (tx, now) => {
      const id = walletAccount(withdrawal.wallet);
      await tx.accounts.apply([{ id, balance: 0n, reserved: -withdrawal.amount }], now);
    });
  }

  async function end(
    before: Withdrawal,
    after: Withdrawal,
    book: (transaction: Transaction, now: number) => Promise<void>,
  ): Promise<Step> {
    const step = await change(before, after, async (tx, now) => {
      await book(tx, now);
      const account = await tx.accounts.find(walletAccount(after.wallet));
      if (account !== null) await tx.events.append([balanceEvent(account, 'withdrawal', now)]);
    });
    if (step !== 'progressed') return step;
    outstanding.delete(after.id);
    context.eventsAppended();
    return step;
  }

  /** Writes the change if the withdrawal still is as it was read. */
  async function change(
    before: Withdrawal,
    after: Withdrawal,
    book: (transaction: Transaction, now: number) => Promise<void> = () => Promise.resolve(),
  ): Promise<Step> {
    const step = await underLease<Step>(async (tx, now) => {
      const stored = await tx.withdrawals.lock(before.id);
      if (stored?.status !== before.status || stored.payoutState !== before.payoutState) return 'waiting';
      await book(tx, now);
      await tx.withdrawals.update({ ...after, updatedAt: now });
      return 'progressed';
    });
    return step ?? 'lease lost';
  }

  return { openWithdrawals, step };
}
