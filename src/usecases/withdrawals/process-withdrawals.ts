/**
 * Sends withdrawals through the payout port. Each is paid once, whichever process dies at whichever moment:
 *
 * - One instance works at a time, under a lease. Every transaction here renews the lease, and writes nothing
 *   once it is lost.
 * - A prepared transfer is stored before it is sent. If the process dies before it was stored, the withdrawal
 *   is prepared again. If it dies later, the same stored transfer is sent again, and the chain executes it
 *   once.
 * - A run is bounded in steps and in time, and begins where the last run ended. So withdrawals that cannot
 *   proceed do not hold up the others. Payouts in trouble come last, and do not count as under way.
 * - Nothing new is sent while the books are insolvent, because it would be the money of other wallets.
 * - The books change when the payout is confirmed, in the transaction that ends the withdrawal.
 */
import type { Withdrawal } from '../../domain/withdrawals';
import { steadyNow } from '../../ports/clock';
import type { Payout } from '../../ports/payout';
import type { Storage } from '../../ports/storage';
import type { Context } from '../context';
import { createWithdrawalWorker, LONG_WAIT_MS, type Step, type WithdrawalWorker } from './withdrawal-steps';

/** No step of a run begins later than this. The lease lasts longer. */
const RUN_MS = 20_000;
/** The rest of a run belongs to the payouts in trouble. */
const UNTROUBLED_MS = 15_000;
/** No further payout is prepared while this many are sent, not ended and in no trouble. */
const MOST_UNDER_WAY = 100;
/**
 * The limit that counts payouts in trouble too, which may never end. Each raises an alarm long before the
 * others have to wait.
 */
const MOST_SENT = 1_000;
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
  lastTroubled: number;
  lastPending: number;
  /** By withdrawal id: why its payout may not end without an operator. */
  troubles: Map<number, string>;
}

export const newWithdrawalMemory = (): WithdrawalMemory => ({
  lastSent: 0,
  lastTroubled: 0,
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
  const { payout, clock, alarms } = context;
  const result: ProcessedWithdrawals = { open: 0, progressed: false };
  if (payout === null) {
    alarms.report('waiting', await longWaiting(context));
    return result;
  }
  const worker = createWithdrawalWorker({ ...context, payout }, owner, memory.troubles);
  const sent = await worker.begin();
  if (sent === null) {
    memory.troubles.clear();
    alarms.report('insolvency', []);
    alarms.report('waiting', []);
  } else {
    const started = steadyNow(clock);
    let leaseLost = false;
    const run: Run = {
      payout,
      memory,
      isOver: (afterMs) => leaseLost || signal?.aborted === true || steadyNow(clock) - started >= afterMs,
      async step(withdrawal) {
        const step = await worker.step(withdrawal);
        result.open += 1;
        result.progressed ||= step === 'progressed';
        leaseLost ||= step === 'lease lost';
        gotOn();
        return step;
      },
    };
    const prepared = await workThrough(context, run, sent);
    reportInsolvency(context, prepared ? worker.insolvency() : null);
    alarms.report('waiting', await longWaiting(context));
  }
  alarms.report(
    'payout',
    [...memory.troubles].map(([id, reason]) => ({ subject: `withdrawal ${id}`, reason })),
  );
  return result;
}

interface Run extends Pick<WithdrawalWorker, 'step'> {
  payout: Payout;
  memory: WithdrawalMemory;
  /** Whether no further step may begin, so long after the start of the run. */
  isOver(afterMs: number): boolean;
}

/** Fulfils with whether there were any to prepare. */
async function workThrough({ storage }: Context, run: Run, sent: readonly Withdrawal[]): Promise<boolean> {
  const { memory } = run;
  forgetTroubles(memory, sent);
  const troubled = sent.filter(({ id }) => memory.troubles.has(id));
  const untroubled = sent.filter(({ id }) => !memory.troubles.has(id));
  const room = Math.min(MOST_UNDER_WAY - untroubled.length, MOST_SENT - sent.length);
  // Read before the sent ones are checked. A payout that is found lost becomes pending again, and waits for
  // the next run.
  const pending = await nextPending(storage, room, memory);
  await advanceSent(run, untroubled, { last: 'lastSent', untilMs: UNTROUBLED_MS });
  await preparePending(run, pending);
  await advanceSent(run, troubled, { last: 'lastTroubled', untilMs: RUN_MS });
  return pending.length > 0;
}

/** `insolvency` is `undefined` when this run has not checked the books. Then the alarm stays as it is. */
function reportInsolvency({ alarms }: Context, insolvency: string | null | undefined): void {
  if (insolvency === undefined) return;
  alarms.report('insolvency', insolvency === null ? [] : [{ subject: 'treasury', reason: insolvency }]);
}

/**
 * The oldest withdrawal for which nothing was sent, if it has waited long. Without a payout adapter, the
 * oldest open one.
 */
async function longWaiting({
  storage,
  clock,
  payout,
}: Context): Promise<{ subject: string; reason: string }[]> {
  const status = payout === null ? {} : ({ status: 'pending' } as const);
  const query = { ...status, afterId: 0, limit: 1 };
  const [oldest] = await storage.read((reader) => reader.withdrawals.listOpen(query));
  // A time in the future was written by a wrong clock: it says nothing, so the withdrawal counts as an old one.
  if (oldest === undefined || Math.abs(clock.now() - oldest.createdAt) < LONG_WAIT_MS) return [];
  const since = new Date(oldest.createdAt).toISOString();
  const why = payout === null ? 'there is no payout' : 'the log says why';
  return [{ subject: `withdrawal ${oldest.id}`, reason: `it waits since ${since}: ${why}` }];
}

/** Another instance may have ended these withdrawals. */
function forgetTroubles({ troubles }: WithdrawalMemory, sent: readonly Withdrawal[]): void {
  const ids = new Set(sent.map(({ id }) => id));
  for (const id of troubles.keys()) if (!ids.has(id)) troubles.delete(id);
}

interface Turn {
  /** The field of the memory that holds the id of the last one. */
  last: 'lastSent' | 'lastTroubled';
  untilMs: number;
}

async function advanceSent(
  { payout, memory, isOver, step }: Run,
  sent: readonly Withdrawal[],
  { last, untilMs }: Turn,
): Promise<void> {
  const turn = [
    ...sent.filter(({ id }) => id > memory[last]),
    ...sent.filter(({ id }) => id <= memory[last]),
  ];
  async function takeTurns(): Promise<void> {
    while (!isOver(untilMs)) {
      const withdrawal = turn.shift();
      if (withdrawal === undefined) return;
      memory[last] = withdrawal.id;
      await step(withdrawal);
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, payout.atOnce ?? 1) }, takeTurns));
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

async function preparePending(run: Run, pending: readonly Withdrawal[]): Promise<void> {
  let waiting = 0;
  for (const withdrawal of pending) {
    if (run.isOver(UNTROUBLED_MS) || waiting >= WAITING_PER_RUN) return;
    const step: Step = await run.step(withdrawal);
    if (step === 'busy') return;
    run.memory.lastPending = withdrawal.id;
    if (step === 'waiting') waiting += 1;
  }
}
