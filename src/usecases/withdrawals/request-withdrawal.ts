import { createHash } from 'node:crypto';
import { PredictionMarketError } from '../../domain/errors';
import { walletAccount } from '../../domain/ledger';
import { formatMicros } from '../../domain/money';
import type { Transaction } from '../../ports/storage';
import { balanceFact } from '../../events/facts';
import { withdrawalView, type WithdrawalView } from '../../views/withdrawal';
import type { RequestWithdrawalCommand } from '../commands';
import type { Context } from '../context';
import { refusePlayBalances, storeMoney } from '../payments/money-of-books';

export interface RequestedWithdrawal {
  view: WithdrawalView;
  /** Whether an earlier request with the same idempotency key made this withdrawal. */
  replayed: boolean;
}

/**
 * Reserves the amount. The job of `process-withdrawals.ts` sends it later. Rejects with WITHDRAWAL_LIMIT when
 * the wallet has too many open withdrawals, with INSUFFICIENT_BALANCE when the amount exceeds the available
 * balance, with IDEMPOTENCY_CONFLICT when the key was used for another request, with NOT_FOUND when the service has no
 * payout adapter, and with SERVICE_UNAVAILABLE when the books hold money that this instance must not pay out.
 */
export async function requestWithdrawal(
  context: Context,
  command: RequestWithdrawalCommand,
): Promise<RequestedWithdrawal> {
  // The status is not 503, because trying again later would not help.
  if (context.payout === null)
    throw new PredictionMarketError(
      'NOT_FOUND',
      'Withdrawals are not paid here; the host can give the option payout',
    );
  const requested = await context.storage.transaction(async (transaction) => {
    // A payment also stores the kind of money before it locks an account. So a payment and a withdrawal cannot
    // deadlock.
    await storeMoney(transaction, context);
    // The account is locked before the record of the key is read. A second request with the same key waits at this
    // line, and then finds the answer of the first request.
    const [account] = await transaction.accounts.lock([walletAccount(command.wallet)], context.clock.now());
    if (account === undefined) throw new Error(`The storage has not locked the account of ${command.wallet}`);
    const repeated = await repetition(transaction, command);
    if (repeated !== null) return { view: repeated, replayed: true };
    await refusePlayBalances(transaction, context);
    const open = await transaction.withdrawals.countOpen(command.wallet);
    if (open >= context.config.withdrawalLimit) throw withdrawalLimit(open);
    const available = account.balance - account.reserved;
    if (command.amount > available) throw insufficientBalance(available);
    return { view: await reserve(context, transaction, command), replayed: false };
  });
  if (!requested.replayed) context.eventsAppended();
  return requested;
}

async function reserve(
  { clock }: Context,
  transaction: Transaction,
  { wallet, amount, idempotencyKey: key }: RequestWithdrawalCommand,
): Promise<WithdrawalView> {
  const now = clock.now();
  const id = walletAccount(wallet);
  await transaction.accounts.apply([{ id, balance: 0n, reserved: amount }], now);
  const withdrawal = await transaction.withdrawals.insert({
    wallet,
    amount,
    status: 'pending',
    payoutState: null,
    transaction: null,
    reason: null,
    createdAt: now,
    updatedAt: now,
  });
  const view = withdrawalView(withdrawal);
  if (key !== null) {
    const record = { wallet, key, requestHash: hashOf(amount), answer: JSON.stringify(view), createdAt: now };
    await transaction.idempotency.insert([record]);
  }
  const after = await transaction.accounts.find(id);
  if (after !== null) await transaction.events.append([balanceFact(wallet, after, 'withdrawal', now)]);
  return view;
}

async function repetition(
  transaction: Transaction,
  { wallet, amount, idempotencyKey: key }: RequestWithdrawalCommand,
): Promise<WithdrawalView | null> {
  if (key === null) return null;
  const [record] = await transaction.idempotency.find([{ wallet, key }]);
  if (record === undefined) return null;
  if (record.requestHash === hashOf(amount)) return JSON.parse(record.answer) as WithdrawalView;
  const message = 'This idempotency key was used for another request';
  throw new PredictionMarketError('IDEMPOTENCY_CONFLICT', message);
}

/**
 * The hashed text of a trade begins with another word. So a key that was used for a trade never matches a
 * withdrawal.
 */
function hashOf(amount: bigint): string {
  return createHash('sha256').update(`withdrawal|${amount}`).digest('hex');
}

function withdrawalLimit(open: number): PredictionMarketError {
  const message = `This wallet has ${open} open withdrawals; wait until one of them has ended`;
  return new PredictionMarketError('WITHDRAWAL_LIMIT', message);
}

function insufficientBalance(available: bigint): PredictionMarketError {
  const message = `Only ${formatMicros(available)} USD can be withdrawn`;
  return new PredictionMarketError('INSUFFICIENT_BALANCE', message);
}
