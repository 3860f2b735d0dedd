/** The bookings that end a withdrawal, for the worker and for the decisions of operators. */
import { accountChanges, walletAccount, withdrawalPosting } from '../../domain/ledger';
import type { Withdrawal } from '../../domain/withdrawals';
import { balanceFact } from '../../events/facts';
import type { Transaction } from '../../ports/storage';

/**
 * Books that the wallet was paid: the money moves to the account `external`, and the reservation ends. The caller has
 * locked the withdrawal.
 */
export async function bookConfirmed(
  transaction: Transaction,
  withdrawal: Withdrawal,
  now: number,
): Promise<void> {
  const posting = withdrawalPosting({ ...withdrawal, createdAt: now });
  const wallet = walletAccount(withdrawal.wallet);
  const { accounts } = accountChanges([posting]);
  const changes = accounts.map((account) =>
    account.id === wallet ? { ...account, reserved: -withdrawal.amount } : account,
  );
  await transaction.accounts.lock([wallet, 'external'], now);
  await transaction.accounts.apply(changes, now);
  await transaction.postings.insert([posting]);
  await appendBalanceFact(transaction, withdrawal, now);
}

/** Books that the wallet was not paid: the reservation is given back. The caller has locked the withdrawal. */
export async function bookFailed(
  transaction: Transaction,
  withdrawal: Withdrawal,
  now: number,
): Promise<void> {
  const id = walletAccount(withdrawal.wallet);
  await transaction.accounts.apply([{ id, balance: 0n, reserved: -withdrawal.amount }], now);
  await appendBalanceFact(transaction, withdrawal, now);
}

async function appendBalanceFact(
  transaction: Transaction,
  { wallet }: Withdrawal,
  now: number,
): Promise<void> {
  const account = await transaction.accounts.find(walletAccount(wallet));
  if (account !== null) await transaction.events.append([balanceFact(wallet, account, 'withdrawal', now)]);
}
