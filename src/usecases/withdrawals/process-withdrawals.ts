/**
 * Sends withdrawals through the payout port. Each is paid once, whichever process dies at whichever moment:
 *
 * - One instance works at a time, under a lease. Every transaction here renews the lease, and writes nothing
 *   once it is lost.
 * - A prepared transfer is stored before it is sent. If the process dies before it was stored, the withdrawal
 *   is prepared again. If it dies later, the same stored transfer is sent again, and the chain executes it
 *   once.
 * - A run is bounded in steps and in time, and begins where the last run ended. So withdrawals that cannot
 *   proceed do not hold up the others.
 * - Nothing new is sent while the books are insolvent, because it would be the money of other wallets.
 * - The books change when the payout is confirmed, in the transaction that ends the withdrawal.
 */
import type { Withdrawal } from '../../domain/withdrawals';
import type { Storage } from '../../ports/storage';
import type { Context } from '../context';
import { createWithdrawalWorker, type Step, type WithdrawalWorker } from './withdrawal-steps';

/** No step of a run begins later than this. The lease lasts longer. */
const RUN_MS = 20_000;
/** With this many withdrawals sent and not confirmed, no further one is prepared. */
const MOST_UNDER_WAY = 100;
const PREPARED_PER_RUN = 50;
/**
 * A run ends after this many withdrawals that could not be prepared. They usually have one cause: the
 * treasury is short, or a node is away.
 */
const WAITING_PER_RUN = 5;

export interface ProcessedWithdrawals {
  /** How many open withdrawals were looked at. */
  open: number;
  /** Whether a withdrawal took a step. Then the next run may take another. */
  progressed: boolean;
}

/** What a worker knows from one run to the next. */
export interface WithdrawalMemory {
  /** Ids of withdrawals. The next run begins with the ids after them. */
  lastSent: number;
  lastPending: number;
  /** By withdrawal id: why its payout may not end without an operator. */
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

/**
 * Takes a step for each open withdrawal, within the bounds of a run. Does nothing while another instance
 * holds the lease.
 */
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
    // Read before the sent withdrawals take their steps. If one of those has to be prepared again, the next
    // run does it.
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

/** Another instance may have ended these withdrawals. */
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

/**
 * As many as there is room for, beginning after the last one looked at. After the newest it starts again with
 * the oldest.
 */
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
