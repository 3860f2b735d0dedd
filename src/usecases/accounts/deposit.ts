import { PredictionMarketError } from '../../domain/errors';
import { creditedAccount, depositPosting, depositReference, walletOfAccount } from '../../domain/ledger';
import type { OperatorAct } from '../../domain/operator-acts';
import type { Account, AccountId, Deposit, Posting } from '../../domain/types';
import type { Transaction } from '../../ports/storage';
import { depositView, type Funds, type DepositView } from '../../views/account';
import { treasuryDepositView, type TreasuryDepositView } from '../../views/treasury';
import { balanceFact } from '../../events/facts';
import type { DepositCommand, TreasuryDepositCommand } from '../commands';
import type { OperatorContext } from '../context';
import { checksumAddress, isoTime, usd } from '../../views/format';
import { logAct } from '../operators/log-act';

/**
 * Credits a wallet with money from outside. A reference is credited once, over all wallets and the treasury. An
 * operator who repeats the same deposit gets the first answer. Another deposit with the same reference is
 * refused with IDEMPOTENCY_CONFLICT.
 */
export async function deposit(context: OperatorContext, command: DepositCommand): Promise<DepositView> {
  const { address, amount, reference } = command;
  const { change, view } = await context.storage.transaction(async (transaction) => {
    const result = await depositIn(transaction, command, context.clock.now());
    const act = { action: 'account.deposit', target: checksumAddress(address) } as const;
    await logDeposit(context, transaction, { ...act, change: result.change, amount, reference });
    return result;
  });
  if (change === 'credit') context.eventsAppended();
  return view;
}

/** Writes a row of the operators' log. A repeated request changes nothing and gets no row. */
async function logDeposit(
  context: Pick<OperatorContext, 'clock' | 'operator'>,
  transaction: Transaction,
  { action, target, change, amount, reference }: LoggedDeposit,
): Promise<void> {
  if (change === 'none') return;
  const given = { amount: usd(amount), reference };
  const details = change === 'credit' ? given : { ...given, credited: 0 };
  await logAct(context, transaction, { action, target, details });
}

/** Credits in the caller's transaction, and writes no row of the operators' log. */
export async function depositIn(
  transaction: Transaction,
  command: DepositCommand,
  now: number,
): Promise<{ change: Change; view: DepositView }> {
  const { address: wallet, amount, reference } = command;
  const { change, funds } = await creditOnce(transaction, { wallet, amount, reference }, now);
  return { change, view: depositView(wallet, funds, command) };
}

export async function depositToTreasury(
  context: Pick<OperatorContext, 'storage' | 'clock' | 'operator'>,
  command: TreasuryDepositCommand,
): Promise<TreasuryDepositView> {
  const { storage, clock } = context;
  const { amount, reference } = command;
  const { funds } = await storage.transaction(async (transaction) => {
    const result = await creditOnce(transaction, { wallet: 'treasury', ...command }, clock.now());
    const act = { action: 'treasury.deposit', target: 'treasury' } as const;
    await logDeposit(context, transaction, { ...act, change: result.change, amount, reference });
    return result;
  });
  return treasuryDepositView(funds, command);
}

type Credit = Pick<Deposit, 'wallet' | 'amount' | 'reference'>;
/** `record`: the deposit was booked before, and only its lost record was written again. */
type Change = 'credit' | 'record' | 'none';
type LoggedDeposit = Pick<OperatorAct, 'action' | 'target'> & Omit<Credit, 'wallet'> & { change: Change };

async function creditOnce(
  transaction: Transaction,
  credit: Credit,
  now: number,
): Promise<{ change: Change; funds: Funds }> {
  // The reference is inserted first. An equal request at the same time waits at this line, and then finds the
  // row that the first request inserted.
  const row = { ...credit, balanceAfter: 0n, reservedAfter: 0n, createdAt: now };
  const isNew = await transaction.deposits.insert(row);
  if (!isNew) {
    const repeated = await repeat(transaction, credit);
    if (repeated !== null) return { change: 'none', funds: repeated };
  }
  const accounts = await transaction.accounts.lock(['external', creditedAccount(credit.wallet)], now);
  // The money moves only if there is no posting for this reference yet. An operator may have restored a
  // deposit's row without its posting, or a posting without its row.
  const booked = isNew ? await completeRow(transaction, credit, accounts) : await repeat(transaction, credit);
  if (booked !== null) return { change: isNew ? 'record' : 'none', funds: booked };
  return { change: 'credit', funds: await book(transaction, credit, accounts, now) };
}

async function book(
  transaction: Transaction,
  credit: Credit,
  accounts: readonly Account[],
  now: number,
): Promise<Funds> {
  const { wallet, amount, reference } = credit;
  const id = creditedAccount(wallet);
  const before = creditedOf(credit, accounts);
  const after = { ...before, balance: before.balance + amount, updatedAt: now };
  await transaction.accounts.apply(
    [
      { id: 'external', balance: -amount },
      { id, balance: amount },
    ],
    now,
  );
  await transaction.postings.insert([depositPosting({ ...credit, createdAt: now })]);
  await transaction.deposits.setFundsAfter(reference, after);
  if (wallet !== 'treasury') await transaction.events.append([balanceFact(wallet, after, 'deposit', now)]);
  return after;
}

function creditedOf({ wallet }: Credit, accounts: readonly Account[]): Account {
  const id = creditedAccount(wallet);
  const found = accounts.find((account) => account.id === id);
  if (found === undefined) throw new Error(`The storage has not locked ${id}`);
  return found;
}

/**
 * Completes the row that was just inserted, if a posting shows that an earlier request moved the money and its
 * row was lost. The funds after that credit are not known any more, so the row gets the present funds. `null`
 * when there is no posting.
 */
async function completeRow(
  transaction: Transaction,
  credit: Credit,
  accounts: readonly Account[],
): Promise<Funds | null> {
  const { wallet, amount, reference } = credit;
  const posting = await transaction.postings.find(depositReference(reference));
  if (posting === null) return null;
  const id = creditedAccount(wallet);
  if (!posting.entries.some((entry) => entry.account === id && entry.amount === amount))
    throw usedForAnother(reference, creditOfPosting(posting));
  const funds = creditedOf(credit, accounts);
  await transaction.deposits.setFundsAfter(reference, funds);
  return funds;
}

type FirstCredit = Pick<Deposit, 'amount' | 'createdAt'> & { account: AccountId };

function creditOfPosting({ entries, createdAt }: Posting): FirstCredit | null {
  const entry = entries.find(({ account }) => account !== 'external');
  return entry === undefined ? null : { ...entry, createdAt };
}

function creditOfRow({ wallet, amount, createdAt }: Deposit): FirstCredit {
  return { account: creditedAccount(wallet), amount, createdAt };
}

function usedForAnother(reference: string, first: FirstCredit | null): PredictionMarketError {
  const which = first === null ? '' : `: ${described(first)}`;
  const message = `The reference "${reference}" was used for another deposit${which}`;
  return new PredictionMarketError('IDEMPOTENCY_CONFLICT', message);
}

function described({ account, amount, createdAt }: FirstCredit): string {
  const wallet = walletOfAccount(account);
  const to = wallet === null ? 'the treasury' : checksumAddress(wallet);
  return `${usd(amount)} USD to ${to} at ${isoTime(createdAt)}`;
}

/**
 * Answers a repeated request with the funds after the first credit. `null` when the row has no posting: then
 * no money has moved.
 */
async function repeat(
  transaction: Transaction,
  { wallet, amount, reference }: Credit,
): Promise<Funds | null> {
  const stored = await transaction.deposits.find(reference);
  if (stored === null || stored.wallet !== wallet || stored.amount !== amount)
    throw usedForAnother(reference, stored === null ? null : creditOfRow(stored));
  if ((await transaction.postings.find(depositReference(reference))) === null) return null;
  return { balance: stored.balanceAfter, reserved: stored.reservedAfter };
}
