/**
 * An operator ends a withdrawal that does not end by itself. The worker may try to end it at the same time. The
 * operator's request and the worker each write only if the row of the withdrawal is as they have read it. So
 * our books either pay a withdrawal or give its amount back, never both.
 */
import { PredictionMarketError } from '../../domain/errors';
import type { OperatorAct } from '../../domain/operator-acts';
import type { Withdrawal } from '../../domain/withdrawals';
import type { Payout, PayoutProgress } from '../../ports/payout';
import { withinTime } from '../../ports/time-limit';
import { realTimers, type Timers } from '../../ports/timers';
import { withdrawalView, type WithdrawalView } from '../../views/withdrawal';
import type { DecideWithdrawalCommand } from '../commands';
import type { Context, OperatorContext } from '../context';
import { logAct } from '../operators/log-act';
import { factNow } from '../fact-now';
import { requireSameMoney } from '../payments/money-of-books';
import { bookConfirmed, bookFailed } from './withdrawal-ends';

/**
 * How long operators have to wait for a payout to end by itself, if the payout is in no trouble or its
 * progress cannot be found out.
 */
export const STANDSTILL_MS = 60 * 60_000;
const CHECK_TIME_LIMIT_MS = 10_000;

/**
 * `confirmed`: the operator names the transaction that paid the wallet. `failed`: the wallet will never be
 * paid, and the reservation is given back. An operator who repeats the decision changes nothing. Rejects with
 * NOT_FOUND, with ALREADY_RESOLVED when the withdrawal has ended in another way, with WITHDRAWAL_UNDER_WAY
 * while the withdrawal may still end by itself, and with SERVICE_UNAVAILABLE when the books hold another kind of money.
 */
export async function decideWithdrawal(
  context: OperatorContext,
  command: DecideWithdrawalCommand,
  timers: Timers = realTimers,
): Promise<WithdrawalView> {
  const { storage, logger } = context;
  const { id } = command;
  const seen = await storage.read(async (reader) => {
    // A payout adapter for another kind of money would know nothing of the withdrawal.
    await requireSameMoney(reader, context);
    return requireFound(await reader.withdrawals.find(id), id);
  });
  if (isDecided(seen, command)) return withdrawalView(seen);
  if (seen.status === 'sent') await requireStandstill(context, seen, command, timers);
  else if (command.verdict === 'confirmed') throw underWay(seen, 'nothing has been sent for it');
  const { withdrawal, isNews } = await storage.transaction(async (transaction) => {
    const stored = requireFound(await transaction.withdrawals.lock(id), id);
    if (isDecided(stored, command)) return { withdrawal: stored, isNews: false };
    if (stored.status !== seen.status || stored.payoutState !== seen.payoutState)
      throw underWay(stored, 'it has just moved on');
    const now = factNow(context);
    const ended = { ...endOf(stored, command), payoutState: null, updatedAt: now };
    await (command.verdict === 'confirmed' ? bookConfirmed : bookFailed)(transaction, stored, now);
    await transaction.withdrawals.update(ended);
    await logAct(context, transaction, actOf(command));
    return { withdrawal: ended, isNews: true };
  });
  if (isNews) {
    // The payout's state is not logged, because it may contain the signed transfer that pays the wallet.
    logger.warn({ ...command, withdrawalId: id }, 'an operator has decided on a withdrawal');
    context.eventsAppended();
  }
  return withdrawalView(withdrawal);
}

function actOf(command: DecideWithdrawalCommand): Pick<OperatorAct, 'action' | 'target' | 'details'> {
  const target = String(command.id);
  return command.verdict === 'confirmed'
    ? { action: 'withdrawal.confirm', target, details: { transaction: command.transaction } }
    : { action: 'withdrawal.fail', target, details: { reason: command.reason } };
}

function requireFound(withdrawal: Withdrawal | null, id: number): Withdrawal {
  if (withdrawal !== null) return withdrawal;
  throw new PredictionMarketError('NOT_FOUND', `There is no withdrawal ${id}`);
}

/**
 * Whether the withdrawal has already ended as the command says. Throws when the withdrawal has ended in another
 * way.
 */
function isDecided(withdrawal: Withdrawal, command: DecideWithdrawalCommand): boolean {
  const { id, status, transaction } = withdrawal;
  if (status === 'pending' || status === 'sent') return false;
  if (
    status === command.verdict &&
    (command.verdict === 'failed' || isSame(transaction, command.transaction))
  )
    return true;
  throw new PredictionMarketError(
    'ALREADY_RESOLVED',
    `Withdrawal ${id} is ${status}${byTransaction(transaction)} already`,
  );
}

/** A hash may be written in upper or lower case. */
function isSame(stored: string | null, named: string): boolean {
  return stored?.toLowerCase() === named.toLowerCase();
}

function endOf(withdrawal: Withdrawal, command: DecideWithdrawalCommand): Withdrawal {
  return command.verdict === 'confirmed'
    ? { ...withdrawal, status: 'confirmed', transaction: command.transaction }
    : { ...withdrawal, status: 'failed', reason: command.reason };
}

/**
 * Throws WITHDRAWAL_UNDER_WAY if operators may not end the withdrawal now. The answer of the payout adapter decides:
 * - paid: they may only confirm it, with the same transaction.
 * - lost, renewed or failed: the job goes on with it, so they may do neither.
 * - about to end (`ending`): they may not fail it.
 * - in trouble: they may end it at once. If its progress is unknown too, they may fail it only after `STANDSTILL_MS`.
 * - in no trouble, or no answer: they may end it only after `STANDSTILL_MS`.
 *
 * On an instance without an adapter they may confirm at once, and fail only after `STANDSTILL_MS`.
 */
async function requireStandstill(
  { payout, clock, logger }: Context,
  withdrawal: Withdrawal,
  command: DecideWithdrawalCommand,
  timers: Timers,
): Promise<void> {
  const { id, payoutState, updatedAt } = withdrawal;
  if (payoutState === null || (payout === null && command.verdict === 'confirmed')) return;
  const progress = await progressOf(payout, payoutState, timers).catch((err: unknown) => {
    const fields = { err, withdrawalId: id, payout: payout?.name };
    logger.warn(fields, 'what became of a payout cannot be found out');
    return null;
  });
  if (progress?.status === 'confirmed') {
    if (command.verdict === 'confirmed' && isSame(progress.transaction, command.transaction)) return;
    throw underWay(withdrawal, `the payout shows it as paid${byTransaction(progress.transaction)}`);
  }
  if (progress !== null && progress.status !== 'pending')
    throw underWay(withdrawal, 'the payout goes on with it');
  if (progress?.ending === true && command.verdict === 'failed')
    throw underWay(withdrawal, 'the payout shows that it will soon end');
  const isUnknown = progress?.unknown === true && command.verdict === 'failed';
  if (progress?.trouble !== undefined && !isUnknown) return;
  if (Math.abs(clock.now() - updatedAt) >= STANDSTILL_MS) return;
  const why = isUnknown ? 'the progress of the payout cannot be found out' : 'the payout is not in trouble';
  throw underWay(withdrawal, `${why}, and it was sent less than an hour ago`);
}

/**
 * Asks the payout adapter for the progress. `null` without an adapter. Rejects when the adapter does not answer in
 * time, because the operator waits for the answer.
 */
async function progressOf(
  payout: Payout | null,
  state: string,
  timers: Timers,
): Promise<PayoutProgress | null> {
  if (payout === null) return null;
  const checked = Promise.resolve().then(() => payout.check(state));
  return withinTime(timers, CHECK_TIME_LIMIT_MS, checked);
}

const byTransaction = (transaction: string | null): string =>
  transaction === null ? '' : ` by ${transaction}`;

function underWay({ id, status }: Withdrawal, why: string): PredictionMarketError {
  return new PredictionMarketError('WITHDRAWAL_UNDER_WAY', `Withdrawal ${id} is ${status}: ${why}`);
}
