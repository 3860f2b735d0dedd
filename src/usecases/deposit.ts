import { PredictionMarketError } from '../domain/errors';
import { depositPosting, depositReference, walletAccount } from '../domain/ledger';
import type { Account } from '../domain/types';
import type { Transaction } from '../ports/storage';
import { depositView } from '../views/account';
import { balanceEvent } from '../views/events';
import type { DepositView } from '../views/types';
import type { DepositCommand } from './commands';
import type { Context } from './context';

/**
 * Credits a wallet from the world outside. A reference is credited once, over all wallets: the same deposit again
 * is answered as it was; another one under the reference is refused with IDEMPOTENCY_CONFLICT.
 */
export async function deposit(context: Context, command: DepositCommand): Promise<DepositView> {
  const { credited, view } = await context.storage.transaction((transaction) =>
    depositIn(transaction, command, context.clock.now()),
  );
  if (credited) context.eventsAppended();
  return view;
}

/** As `deposit`, inside the caller's transaction; `credited` is false for a repetition. */
export async function depositIn(
  transaction: Transaction,
  command: DepositCommand,
  now: number,
): Promise<{ credited: boolean; view: DepositView }> {
  // The reference first: copies that run at the same time wait here, and find the first one's row.
  const isNew = await transaction.deposits.insert({
    reference: command.reference,
    wallet: command.address,
    amount: command.amount,
    balanceAfter: 0n,
    reservedAfter: 0n,
    createdAt: now,
  });
  if (!isNew) {
    const repeated = await repeat(transaction, command);
    if (repeated !== null) return { credited: false, view: repeated };
  }
  const accounts = await transaction.accounts.lock(['external', walletAccount(command.address)], now);
  // Of copies that complete the same deposit, those behind the lock find the first one's posting.
  const completed = isNew ? null : await repeat(transaction, command);
  if (completed !== null) return { credited: false, view: completed };
  return { credited: true, view: await credit(transaction, command, accounts, now) };
}

async function credit(
  transaction: Transaction,
  command: DepositCommand,
  accounts: readonly Account[],
  now: number,
): Promise<DepositView> {
  const { address, amount, reference } = command;
  const id = walletAccount(address);
  const before = accounts.find((account) => account.id === id);
  if (before === undefined) throw new Error(`The storage has not locked ${id}`);
  const after = { ...before, balance: before.balance + amount, updatedAt: now };
  const posting = depositPosting({ wallet: address, amount, reference, createdAt: now });
  await transaction.accounts.apply(
    [
      { id: 'external', balance: -amount },
      { id, balance: amount },
    ],
    now,
  );
  await transaction.entries.insert([posting]);
  await transaction.deposits.setFundsAfter(reference, after);
  await transaction.events.append([balanceEvent(after, 'deposit', now)]);
  return depositView(address, after, command);
}

/** The answer of the first time; `null` when only the deposit's row is there: its posting is what has moved the money, not the row. */
async function repeat(transaction: Transaction, command: DepositCommand): Promise<DepositView | null> {
  const { address, amount, reference } = command;
  const stored = await transaction.deposits.find(reference);
  if (stored === null || stored.wallet !== address || stored.amount !== amount) {
    const message = `The reference "${reference}" was used for another deposit`;
    throw new PredictionMarketError('IDEMPOTENCY_CONFLICT', message);
  }
  if ((await transaction.entries.findPosting(depositReference(reference))) === null) return null;
  return depositView(address, { balance: stored.balanceAfter, reserved: stored.reservedAfter }, command);
}
