/**
 * Pays withdrawals through the payout port, so that each is paid once whatever dies when:
 *
 * - One instance at a time, under a lease; every transaction here renews it, and writes nothing once it is lost.
 * - What the payout has prepared is stored before it is sent. A dead process leaves either nothing, and the withdrawal is
 *   prepared afresh, or a stored state, and the same is sent again, which the world outside takes once.
 * - A run is bounded in steps and in time, and begins where the one before it ended: withdrawals that cannot go on keep neither
 *   the others nor the instance from going on.
 * - Nothing new is sent while the books are insolvent: it would be the money of those who ask later.
 * - The books move when the payout is confirmed, in one transaction with the end of the withdrawal.
 */
import type { Withdrawal } from '../../domain/withdrawals';
import type { Storage } from '../../ports/storage';
import type { Context } from '../context';
import { createWithdrawalWorker, type Step, type WithdrawalWorker } from './withdrawal-steps';

/** No step begins later in a run; the lease holds longer. */
const RUN_MS = 20_000;
/** So many may be sent and not at their end before no further one is prepared. */
const MOST_UNDER_WAY = 100;
const PREPARED_PER_RUN = 50;
/** So many that cannot be prepared end the run: as a rule all wait for the same, a treasury that is short or a node that is away. */
const WAITING_PER_RUN = 5;

export interface ProcessedWithdrawals {
  /** Open ones that were looked at. */
  open: number;
  /** Whether any of them took a step: then the next run may take another. */
  progressed: boolean;
}

/** What a worker knows from one run to the next. */
export interface WithdrawalMemory {
  /** Ids: the next run begins with the one after. */
  lastSent: number;
  lastPending: number;
  /** By withdrawal: why its payout may not end by itself. */
  troubles: Map<number, string>;
}

export const newWithdrawalMemory = (): WithdrawalMemory => ({
  lastSent: 0,
  lastPending: 0,
  troubles: new Map(),
});

export interface ProcessWithdrawalsOptions {
  owner: string;
  signal?: AbortSignal;
  memory?: WithdrawalMemory;
  /** Called after every step. */
  gotOn?: () => void;
}

/** A step for every open withdrawal, as far as the run goes. Does nothing while another instance holds the lease. */
export async function processWithdrawals(
  context: Context,
  { owner, signal, memory = newWithdrawalMemory(), gotOn = () => undefined }: ProcessWithdrawalsOptions,
): Promise<ProcessedWithdrawals> {
  const { payout, clock, storage, alarms } = context;
  const result: ProcessedWithdrawals = { open: 0, progressed: false };
  if (payout === null) return result;
  const worker = createWithdrawalWorker({ ...context, payout }, owner, memory.troubles);
  const sent = await worker.begin();
  if (sent === null) {
    memory.troubles.clear();
    alarms.report('insolvency', []);
  } else {
    const started = clock.now();
    let leaseLost = false;
    const run: Run = {
      isOver: () => leaseLost || signal?.aborted === true || clock.now() - started >= RUN_MS,
      async step(withdrawal) {
        const step = await worker.step(withdrawal);
        result.open += 1;
        result.progressed ||= step === 'progressed';
        leaseLost ||= step === 'lease lost';
        gotOn();
        return step;
      },
    };
    forgetTroubles(memory, sent);
    // Read before the others move: one that turns out to be lost is looked at anew in the next run.
    const pending = await nextPending(storage, MOST_UNDER_WAY - sent.length, memory);
    await advanceSent(run, sent, payout.atOnce ?? 1, memory);
    await preparePending(run, pending, memory);
    const insolvency = pending.length === 0 ? null : worker.insolvency();
    if (insolvency !== undefined)
      alarms.report('insolvency', insolvency === null ? [] : [{ subject: 'treasury', reason: insolvency }]);
  }
  alarms.report(
    'payout',
    [...memory.troubles].map(([id, reason]) => ({ subject: `withdrawal ${id}`, reason })),
  );
  return result;
}

interface Run extends Pick<WithdrawalWorker, 'step'> {
  isOver(): boolean;
}

/** Another instance may have brought them to their end. */
function forgetTroubles({ troubles }: WithdrawalMemory, sent: readonly Withdrawal[]): void {
  const ids = new Set(sent.map(({ id }) => id));
  for (const id of troubles.keys()) if (!ids.has(id)) troubles.delete(id);
}

async function advanceSent(
  run: Run,
  sent: readonly Withdrawal[],
  atOnce: number,
  memory: WithdrawalMemory,
): Promise<void> {
  const turn = [
    ...sent.filter(({ id }) => id > memory.lastSent),
    ...sent.filter(({ id }) => id <= memory.lastSent),
  ];
  async function workThrough(): Promise<void> {
    while (!run.isOver()) {
      const withdrawal = turn.shift();
      if (withdrawal === undefined) return;
      memory.lastSent = withdrawal.id;
      await run.step(withdrawal);
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, atOnce) }, workThrough));
}

/** As many as there is room for, from the one after the last; from the first again behind the newest. */
async function nextPending(storage: Storage, room: number, memory: WithdrawalMemory): Promise<Withdrawal[]> {
  const limit = Math.min(PREPARED_PER_RUN, room);
  if (limit <= 0) return [];
  const after = (afterId: number): Promise<Withdrawal[]> =>
    storage.read((reader) => reader.withdrawals.listOpen({ status: 'pending', afterId, limit }));
  const next = await after(memory.lastPending);
  return next.length > 0 || memory.lastPending === 0 ? next : after(0);
}

async function preparePending(
  run: Run,
  pending: readonly Withdrawal[],
  memory: WithdrawalMemory,
): Promise<void> {
  let waiting = 0;
  for (const withdrawal of pending) {
    if (run.isOver() || waiting >= WAITING_PER_RUN) return;
    const step: Step = await run.step(withdrawal);
    if (step === 'busy') return;
    memory.lastPending = withdrawal.id;
    if (step === 'waiting') waiting += 1;
  }
}
