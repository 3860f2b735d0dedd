/** One step of one withdrawal: asks the payout adapter, and writes the adapter's answer. */
import type { Withdrawal } from '../../domain/withdrawals';
import type { PayoutProgress } from '../../ports/payout';
import type { Storage } from '../../ports/storage';
import { readHouseBooks } from '../accounts/house-books';
import { storeMoney } from '../payments/money-of-books';
import {
  InsolventBooks,
  PlayBalances,
  refuseInsolvent,
  requireNoPlayBalances,
  requireSolvency,
} from './solvency-gate';
import { bookConfirmed, bookFailed } from './withdrawal-ends';
import { timedPayout } from './timed-payout';
import {
  change,
  requireOwnMoney,
  underLease,
  type RunState,
  type StepMemory,
  type WithdrawalStep,
  type WorkContext,
  type Writes,
} from './withdrawal-run';

const PAGE = 100;
/**
 * A withdrawal raises an alarm when it has waited this long to be sent. A sent withdrawal raises one when a step fails
 * and its row has not changed for this long.
 */
export const LONG_WAIT_MS = 15 * 60_000;
/** A payout that is under way for so long raises an alarm. Operators may then end it by hand. */
const LONG_UNDER_WAY_MS = 60 * 60_000;

export interface WithdrawalWorker {
  /** `null` while another instance has the lease. */
  begin(): Promise<Withdrawal[] | null>;
  /** Never rejects: a withdrawal whose step fails does not hold up the others. */
  step(withdrawal: Withdrawal): Promise<WithdrawalStep>;
  /**
   * Why the books allow no payout. `null` when the house is solvent, `undefined` while no step has checked the books.
   * Balances of play money do not count.
   */
  insolvency(): string | null | undefined;
}

export function createWithdrawalWorker(
  context: WorkContext,
  owner: string,
  memory: StepMemory,
): WithdrawalWorker {
  const run: RunState = {
    ...context,
    payout: timedPayout(context.payout, context.timers, context.signal),
    owner,
    troubles: memory.troubles,
    memory,
    outstanding: new Map(),
    token: null,
    insolvency: undefined,
  };
  return {
    begin: () => begin(run),
    step: (withdrawal) => step(run, withdrawal),
    insolvency: () => run.insolvency,
  };
}

async function begin(run: RunState): Promise<Withdrawal[] | null> {
  const leased = await underLease(run, async (transaction) => {
    await requireOwnMoney(run, transaction);
    return true;
  });
  if (leased === null) return null;
  const sent = await readSent(run.storage);
  for (const { id, payoutState } of sent) if (payoutState !== null) run.outstanding.set(id, payoutState);
  return sent;
}

/** All withdrawals that are sent and have not ended, oldest first. */
export async function readSent(storage: Storage): Promise<Withdrawal[]> {
  const sent: Withdrawal[] = [];
  for (;;) {
    const page = { status: 'sent', afterId: sent.at(-1)?.id ?? 0, limit: PAGE } as const;
    const found = await storage.read((reader) => reader.withdrawals.listOpen(page));
    sent.push(...found);
    if (found.length < PAGE) return sent;
  }
}

async function step(run: RunState, withdrawal: Withdrawal): Promise<WithdrawalStep> {
  try {
    // Slow steps before this one may have used up most of the lease. A call of the payout takes less time than the
    // lease lasts, and each step has at most one call between two renewals.
    if ((await underLease(run, () => Promise.resolve(true))) === null) return 'lease lost';
    const result =
      withdrawal.payoutState === null
        ? await prepare(run, withdrawal)
        : await advance(run, withdrawal, withdrawal.payoutState);
    run.memory.failing.delete(withdrawal.id);
    return result;
  } catch (err) {
    if (err instanceof InsolventBooks) {
      run.insolvency = err.message;
      noteWait(run, withdrawal, err.message, 'a withdrawal waits: the treasury has too little money');
      return 'no money';
    }
    if (err instanceof PlayBalances) {
      noteWait(run, withdrawal, err.message, 'a withdrawal waits: this payout must not pay out play money');
      return 'no money';
    }
    run.memory.failing.add(withdrawal.id);
    const fields = { err, withdrawalId: withdrawal.id, payout: run.payout.name };
    // If an alarm already reports this withdrawal, or the service closes, the line is only logged at `debug`.
    const isExpected = run.troubles.has(withdrawal.id) || run.signal?.aborted === true;
    run.logger[isExpected ? 'debug' : 'warn'](fields, 'a withdrawal could not go on');
    noteSilence(run, withdrawal);
    return 'failed';
  }
}

/** Logs that the books hold up a withdrawal. A repetition of the last line is not logged. */
function noteWait(run: RunState, { id }: Withdrawal, reason: string, message: string): void {
  const { waitsForMoney } = run.memory;
  if (waitsForMoney?.id === id && waitsForMoney.message === message) return;
  run.memory.waitsForMoney = { id, message };
  const fields = { withdrawalId: id, payout: run.payout.name, reason };
  run.logger.warn(fields, message);
}

/**
 * Records a trouble when a step of a sent withdrawal fails and its row has not changed for `LONG_WAIT_MS`. One failure
 * alone is no trouble. But the adapter may reject every time, for example because another adapter wrote the state.
 */
function noteSilence({ troubles, clock, payout }: RunState, { id, status, updatedAt }: Withdrawal): void {
  if (status !== 'sent' || troubles.has(id) || Math.abs(clock.now() - updatedAt) < LONG_WAIT_MS) return;
  troubles.set(id, `what became of it cannot be found out (payout ${payout.name}); the log says why`);
}

async function prepare(run: RunState, withdrawal: Withdrawal): Promise<WithdrawalStep> {
  const { storage, config, payout, logger } = run;
  // These early checks save a useless preparation. The checks that count run in the transaction that stores the
  // payout.
  refuseInsolvent(await storage.read((reader) => readHouseBooks(reader, config)));
  run.insolvency = null;
  await storage.read((reader) => requireNoPlayBalances(reader, run));
  const { id, wallet: to, amount } = withdrawal;
  const order = { id, to, amount, network: config.network, asset: config.asset };
  const prepared = await payout.prepare(order, [...run.outstanding.values()]);
  switch (prepared.status) {
    case 'prepared':
      return send(run, withdrawal, prepared, async (transaction, now) => {
        await storeMoney(transaction, run);
        await requireNoPlayBalances(transaction, run);
        await requireSolvency(transaction, config, now);
      });
    case 'refused':
      return fail(run, withdrawal, null, prepared.reason);
    case 'unavailable': {
      const fields = { withdrawalId: id, payout: payout.name, reason: prepared.reason };
      logger.warn(fields, 'a withdrawal waits: the payout is unavailable');
      return 'failed';
    }
    case 'busy':
      return 'busy';
  }
}

/** Stores the transfer, and then submits it. Once the transfer is stored, it counts as possibly sent. */
async function send(
  run: RunState,
  withdrawal: Withdrawal,
  { state, transaction }: { state: string; transaction: string | null },
  precondition?: Writes,
): Promise<WithdrawalStep> {
  const sent = { ...withdrawal, status: 'sent' as const, payoutState: state, transaction };
  // The state is remembered before it is stored. If the answer to the COMMIT is lost, the payout may be stored,
  // and the preparation of the next payout has to take it into account.
  run.outstanding.set(withdrawal.id, state);
  const stored = await change(run, withdrawal, sent, precondition);
  if (stored !== 'progressed') {
    // The new state is not stored and is never sent. A later payout must not wait for its nonce.
    if (withdrawal.payoutState === null) run.outstanding.delete(withdrawal.id);
    else run.outstanding.set(withdrawal.id, withdrawal.payoutState);
    return stored;
  }
  if (run.memory.waitsForMoney?.id === withdrawal.id) run.memory.waitsForMoney = null;
  await run.payout.submit(state);
  return 'progressed';
}

async function advance(run: RunState, withdrawal: Withdrawal, state: string): Promise<WithdrawalStep> {
  const { payout, troubles } = run;
  const progress = await payout.check(state);
  const trouble = troubleOf(run, withdrawal, progress);
  if (trouble === null) troubles.delete(withdrawal.id);
  else troubles.set(withdrawal.id, trouble);
  switch (progress.status) {
    case 'pending':
      if (await isAsRead(run, withdrawal)) await payout.submit(state);
      return 'waiting';
    case 'renewed':
      return beforePause(await send(run, withdrawal, progress));
    case 'confirmed':
      return confirm(run, withdrawal, progress.transaction);
    case 'failed':
      return fail(run, withdrawal, progress.transaction, progress.reason);
    case 'lost':
      return beforePause(await prepareAfresh(run, withdrawal, progress.reason));
  }
}

/** Turns `progressed` into `waiting`, so that the job pauses even if each check of the adapter has the same result. */
const beforePause = (step: WithdrawalStep): WithdrawalStep => (step === 'progressed' ? 'waiting' : step);

/** The trouble that the adapter reports. If it reports none, a payout that is under way for too long is in trouble. */
function troubleOf(
  { clock, payout }: RunState,
  { updatedAt }: Withdrawal,
  progress: PayoutProgress,
): string | null {
  if (progress.status !== 'pending') return null;
  const isLong = Math.abs(clock.now() - updatedAt) >= LONG_UNDER_WAY_MS;
  return (
    progress.trouble ?? (isLong ? `it has been under way for over an hour (payout ${payout.name})` : null)
  );
}

/**
 * Whether this instance still has the lease and the withdrawal is still as it was read. An operator may have ended it,
 * and an amount that was given back must not be sent again.
 */
async function isAsRead(run: RunState, { id, status, payoutState }: Withdrawal): Promise<boolean> {
  const stored = await underLease(run, (transaction) => transaction.withdrawals.find(id));
  return stored?.status === status && stored.payoutState === payoutState;
}

/**
 * The lost payout can no longer happen, so the withdrawal becomes pending again and a new payout may be
 * prepared.
 */
async function prepareAfresh(run: RunState, withdrawal: Withdrawal, reason: string): Promise<WithdrawalStep> {
  run.logger.error({ withdrawalId: withdrawal.id, reason }, 'a payout was lost; it is prepared again');
  const pending = { ...withdrawal, status: 'pending' as const, payoutState: null, transaction: null };
  const step = await change(run, withdrawal, pending);
  if (step === 'progressed') run.outstanding.delete(withdrawal.id);
  return step;
}

async function confirm(
  run: RunState,
  withdrawal: Withdrawal,
  transaction: string | null,
): Promise<WithdrawalStep> {
  const confirmed = { ...withdrawal, status: 'confirmed' as const, payoutState: null, transaction };
  return end(run, withdrawal, confirmed, bookConfirmed);
}

async function fail(
  run: RunState,
  withdrawal: Withdrawal,
  transaction: string | null,
  reason: string,
): Promise<WithdrawalStep> {
  run.logger.warn({ withdrawalId: withdrawal.id, transaction, reason }, 'a withdrawal has failed');
  const failed = { ...withdrawal, status: 'failed' as const, payoutState: null, transaction, reason };
  return end(run, withdrawal, failed, bookFailed);
}

async function end(
  run: RunState,
  before: Withdrawal,
  after: Withdrawal,
  book: typeof bookConfirmed,
): Promise<WithdrawalStep> {
  const step = await change(run, before, after, (transaction, now) => book(transaction, before, now));
  if (step !== 'progressed') return step;
  run.outstanding.delete(after.id);
  run.eventsAppended();
  return step;
}
