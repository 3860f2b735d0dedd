/**
 * Sends withdrawals through the payout port. Each withdrawal is paid once, even if a process dies at any step:
 *
 * - One instance works at a time, under a lease. Every transaction that writes a withdrawal renews the lease. An
 *   instance that has lost the lease writes nothing.
 * - A prepared transfer is stored before it is sent. If the process dies before it has stored the transfer, the
 *   withdrawal is prepared again. If the process dies later, the stored transfer is sent again, and the chain
 *   executes it once.
 * - A run is bounded in steps and in time, and begins where the last run ended. So withdrawals that cannot
 *   proceed do not hold up other withdrawals. Payouts in trouble are checked last, and do not count as
 *   under way.
 * - No new transfer is prepared while the house is not solvent, because it could pay with the money of other wallets.
 * - The books change when the payout is confirmed, in the transaction that ends the withdrawal.
 */
import type { Withdrawal } from '../../domain/withdrawals';
import { steadyNow } from '../../ports/clock';
import type { Payout } from '../../ports/payout';
import { realTimers, type Timers } from '../../ports/timers';
import { readHouseBooks } from '../accounts/house-books';
import type { Context } from '../context';
import { createWithdrawalWorker, LONG_WAIT_MS, readSent, type WithdrawalWorker } from './withdrawal-steps';
import { isAnyPending, nextPending } from './next-pending';
import { insolvencyOf } from './solvency-gate';
import { newWithdrawalMemory, type WithdrawalMemory } from './withdrawal-memory';
import type { WithdrawalStep } from './withdrawal-run';
import { releaseWithdrawals } from './withdrawals-lease';

/**
 * No step begins later than this after the start of the run, except the first steps of each `Pass` and the first
 * preparation. The lease lasts longer.
 */
const RUN_MS = 20_000;
/**
 * The part of `RUN_MS` for preparations and for payouts without trouble. The time after that is for payouts that are
 * in trouble or whose last step failed.
 */
const UNTROUBLED_MS = 15_000;
/**
 * No further payout is prepared while this many withdrawals are sent, have not ended and are in no trouble.
 */
const MOST_UNDER_WAY = 100;
/**
 * No further payout is prepared while this many withdrawals are sent and have not ended, including those in trouble.
 */
const MOST_SENT = 1_000;
/** An instance whose runs have failed for so long lets another instance have the lease. */
const FAILING_TURN_MS = 2 * 60_000;
/** How long an instance without the lease keeps the troubles that it knows. */
const TROUBLES_KEPT_MS = 10 * 60_000;
/**
 * A run ends its preparations after this many withdrawals that could not be prepared, because the failures may have
 * one cause, for example a node that does not answer.
 */
const WAITING_PER_RUN = 5;

export interface ProcessedWithdrawals {
  /** How many open withdrawals the run has worked on. */
  open: number;
  /** Whether a step ended with `progressed`. If so, the next run may take further steps at once. */
  progressed: boolean;
}

export interface ProcessWithdrawalsOptions {
  owner: string;
  signal?: AbortSignal;
  memory?: WithdrawalMemory;
  onProgress?: () => void;
  /** The timers that end calls of the payout. */
  timers?: Timers;
}

/**
 * Takes a step for each open withdrawal, within the bounds of a run. Takes no step while another instance has
 * the lease.
 */
export async function processWithdrawals(
  context: Context,
  {
    owner,
    signal,
    memory = newWithdrawalMemory(),
    onProgress = () => undefined,
    timers = realTimers,
  }: ProcessWithdrawalsOptions,
): Promise<ProcessedWithdrawals> {
  const { payout, clock, alarms } = context;
  const result: ProcessedWithdrawals = { open: 0, progressed: false };
  if (payout === null) {
    alarms.report('waiting', await longWaiting(context));
    return result;
  }
  const worker = createWithdrawalWorker({ ...context, payout, timers, signal }, owner, memory);
  const sent = await worker.begin();
  if (sent === null) {
    memory.failingSince = null;
    await keepOpenTroubles(context, memory);
    alarms.report('insolvency', []);
  } else {
    const started = steadyNow(clock);
    let leaseLost = false;
    let hasFailed = false;
    const run: RunControl = {
      payout,
      memory,
      isOver: (afterMs) => leaseLost || signal?.aborted === true || steadyNow(clock) - started >= afterMs,
      async step(withdrawal) {
        const step = await worker.step(withdrawal);
        result.open += 1;
        result.progressed ||= step === 'progressed';
        leaseLost ||= step === 'lease lost';
        // Balances of play money count as a failure, because another instance may be allowed to pay them out.
        hasFailed ||= step === 'failed' || (step === 'no money' && worker.insolvency() === null);
        onProgress();
        return step;
      },
    };
    const hadPending = await workThrough(context, run, sent);
    memory.leaseSeenAt = steadyNow(clock);
    if (!hasFailed || result.progressed) memory.failingSince = null;
    else await giveTurn(context, owner, memory);
    await reportInsolvency(context, hadPending ? worker.insolvency() : null);
  }
  alarms.report('waiting', await longWaiting(context));
  alarms.report(
    'payout',
    [...memory.troubles].map(([id, reason]) => ({ subject: `withdrawal ${id}`, reason })),
  );
  return result;
}

/**
 * Gives up the lease when the runs have failed for some minutes. The payout of this instance may be the only one that
 * does not work, so another instance gets the lease.
 */
async function giveTurn(context: Context, owner: string, memory: WithdrawalMemory): Promise<void> {
  const now = steadyNow(context.clock);
  memory.failingSince ??= now;
  if (Math.abs(now - memory.failingSince) < FAILING_TURN_MS) return;
  memory.failingSince = null;
  await releaseWithdrawals(context, owner);
}

/**
 * While another instance has the lease, troubles are forgotten when their withdrawals have ended, or after some
 * minutes. The other instance then reports the troubles that remain.
 */
async function keepOpenTroubles({ storage, clock }: Context, memory: WithdrawalMemory): Promise<void> {
  if (Math.abs(steadyNow(clock) - memory.leaseSeenAt) >= TROUBLES_KEPT_MS) memory.troubles.clear();
  if (memory.troubles.size > 0) forgetTroubles(memory, await readSent(storage));
}

interface RunControl extends Pick<WithdrawalWorker, 'step'> {
  payout: Payout;
  memory: WithdrawalMemory;
  /**
   * Whether no further step may begin, because the run has lasted for `afterMs`, has lost the lease, or was
   * stopped.
   */
  isOver(afterMs: number): boolean;
}

/** Takes the steps of a run. Resolves with whether a withdrawal was pending, even if no room was left to prepare it. */
async function workThrough(
  { storage }: Context,
  run: RunControl,
  sent: readonly Withdrawal[],
): Promise<boolean> {
  const { memory } = run;
  forgetTroubles(memory, sent);
  const isLast = ({ id }: Withdrawal): boolean => memory.troubles.has(id) || memory.failing.has(id);
  const first = sent.filter((withdrawal) => !isLast(withdrawal));
  const last = sent.filter(isLast);
  const underWay = sent.filter(({ id }) => !memory.troubles.has(id)).length;
  const room = Math.min(MOST_UNDER_WAY - underWay, MOST_SENT - sent.length);
  // The pending withdrawals are read first. So a withdrawal that becomes pending again, because its payout was lost, is
  // prepared by the next run.
  const pending = await nextPending(storage, room, memory);
  await advanceSent(run, first, { last: 'lastSent', untilMs: UNTROUBLED_MS });
  await preparePending(run, pending);
  await advanceSent(run, last, { last: 'lastTroubled', untilMs: RUN_MS });
  return pending.length > 0 || (room <= 0 && (await isAnyPending(storage)));
}

/** Reports what the run found in the books. `undefined`: the run has not checked the books, so they are read now. */
async function reportInsolvency(
  { alarms, storage, config }: Context,
  checked: string | null | undefined,
): Promise<void> {
  const reason =
    checked === undefined
      ? insolvencyOf(await storage.read((reader) => readHouseBooks(reader, config)))
      : checked;
  alarms.report('insolvency', reason === null ? [] : [{ subject: 'treasury', reason }]);
}

/**
 * Finds the oldest withdrawal that is not sent yet, if it has waited for `LONG_WAIT_MS`. Without a payout
 * adapter, withdrawals that were sent count too.
 */
async function longWaiting({
  storage,
  clock,
  payout,
}: Context): Promise<{ subject: string; reason: string }[]> {
  const status = payout === null ? {} : ({ status: 'pending' } as const);
  const query = { ...status, afterId: 0, limit: 1 };
  const [oldest] = await storage.read((reader) => reader.withdrawals.listOpen(query));
  // A time far in the future was written by a wrong clock, so its withdrawal counts as an old one.
  if (oldest === undefined || Math.abs(clock.now() - oldest.createdAt) < LONG_WAIT_MS) return [];
  const since = new Date(oldest.createdAt).toISOString();
  const why = payout === null ? 'there is no payout' : 'the log says why';
  return [{ subject: `withdrawal ${oldest.id}`, reason: `it waits since ${since}: ${why}` }];
}

/** Forgets the troubles of withdrawals that are no longer `sent`. Another instance may have ended them. */
function forgetTroubles({ troubles, failing }: WithdrawalMemory, sent: readonly Withdrawal[]): void {
  const ids = new Set(sent.map(({ id }) => id));
  for (const id of troubles.keys()) if (!ids.has(id)) troubles.delete(id);
  for (const id of failing) if (!ids.has(id)) failing.delete(id);
}

interface Pass {
  /**
   * The field of the memory with the id of the withdrawal that was worked on last. The pass begins after this id.
   */
  last: 'lastSent' | 'lastTroubled';
  untilMs: number;
}

async function advanceSent(
  { payout, memory, isOver, step }: RunControl,
  sent: readonly Withdrawal[],
  { last, untilMs }: Pass,
): Promise<void> {
  const queue = [
    ...sent.filter(({ id }) => id > memory[last]),
    ...sent.filter(({ id }) => id <= memory[last]),
  ];
  async function advanceQueued(): Promise<void> {
    // The first withdrawals of a pass are worked on even if earlier passes of the run were slow.
    for (let mayBeginMs = Infinity; !isOver(mayBeginMs); mayBeginMs = untilMs) {
      const withdrawal = queue.shift();
      if (withdrawal === undefined) return;
      memory[last] = withdrawal.id;
      await step(withdrawal);
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, payout.atOnce ?? 1) }, advanceQueued));
}

async function preparePending(run: RunControl, pending: readonly Withdrawal[]): Promise<void> {
  const { memory } = run;
  let waiting = 0;
  for (const [index, withdrawal] of pending.entries()) {
    // The first withdrawal is prepared even if the checks before it were slow.
    if (run.isOver(index === 0 ? Infinity : UNTROUBLED_MS) || waiting >= WAITING_PER_RUN) return;
    const step: WithdrawalStep = await run.step(withdrawal);
    if (step === 'no money') return;
    if (step === 'busy') {
      // The payout may be too busy for this withdrawal only, so the run also tries the next one.
      if (index > 0) return;
      continue;
    }
    const isNew = withdrawal.id > memory.lastPending;
    memory[isNew ? 'lastPending' : 'lastLeftBehind'] = withdrawal.id;
    memory.beginsWithOld = isNew;
    if (step === 'waiting' || step === 'failed') waiting += 1;
  }
}
