/** Double entry: builders of postings, and what postings do to accounts. Amounts are micro-USD. */
import type { AccountChange, AccountId, Address, Entry, Posting, Side } from './types';

/** A trade's posting before the storage has given the trade its id, and with it the reference. */
export type TradePosting = Omit<Posting, 'reference'>;

export function walletAccount(wallet: Address): AccountId {
  return `wallet:${wallet}`;
}

export function poolAccount(marketId: number): AccountId {
  return `market:${marketId}`;
}

/** Throws when the entries do not sum to zero: a fault of ours, never of a caller. */
export function assertBalanced(posting: Pick<Posting, 'entries'> & { reference?: string }): void {
  let sum = 0n;
  for (const { amount } of posting.entries) sum += amount;
  if (sum !== 0n) throw new Error(`Posting ${posting.reference ?? '(unnamed)'} is out of balance by ${sum}`);
}

function balanced<T extends Pick<Posting, 'entries'>>(posting: T): T {
  assertBalanced(posting);
  return posting;
}

/** What the posting of a deposit is found by. */
export function depositReference(reference: string): string {
  return `deposit:${reference}`;
}

/** The account that a deposit goes to. */
export function creditedAccount(wallet: Address | 'treasury'): AccountId {
  return wallet === 'treasury' ? wallet : walletAccount(wallet);
}

/** Money from the world outside, credited to a wallet or put into the house. */
export function depositPosting(deposit: {
  wallet: Address | 'treasury';
  amount: bigint;
  reference: string;
  createdAt: number;
}): Posting {
  return {
    kind: 'deposit',
    reference: depositReference(deposit.reference),
    createdAt: deposit.createdAt,
    entries: transfer('external', creditedAccount(deposit.wallet), deposit.amount),
  };
}

/** A wallet's money that has left for the world outside. The reference is the guard against booking it twice. */
export function withdrawalPosting(withdrawal: {
  id: number;
  wallet: Address;
  amount: bigint;
  createdAt: number;
}): Posting {
  return {
    kind: 'withdrawal',
    reference: `withdrawal:${withdrawal.id}`,
    createdAt: withdrawal.createdAt,
    entries: transfer(walletAccount(withdrawal.wallet), 'external', withdrawal.amount),
  };
}

/**
 * What a trade moves: the trader pays the notional into the pool, or receives it (`poolChange` below zero),
 * and the creator's fee comes out of the trader's side either way.
 */
export function tradeEntries(trade: {
  wallet: Address;
  creator: Address;
  marketId: number;
  poolChange: bigint;
  fee: bigint;
}): Entry[] {
  const entries: Entry[] = [
    { account: walletAccount(trade.wallet), amount: -trade.poolChange - trade.fee },
    { account: poolAccount(trade.marketId), amount: trade.poolChange },
  ];
  if (trade.fee !== 0n) entries.push({ account: walletAccount(trade.creator), amount: trade.fee });
  return entries;
}

/** Names a trade's posting, once the trade has its id. */
export function tradePosting(tradeId: number, { kind, createdAt, entries }: TradePosting): Posting {
  return balanced({ kind, reference: `trade:${tradeId}`, createdAt, entries });
}

/** Moves the pool to what is owed: `poolChange` above zero comes from the treasury, below zero goes there. */
export function resolutionPosting(marketId: number, poolChange: bigint, createdAt: number): Posting {
  return {
    kind: 'resolution',
    reference: `resolution:${marketId}`,
    createdAt,
    entries: transfer('treasury', poolAccount(marketId), poolChange),
  };
}

/** Moves what is left of a pool after the last payout to the treasury. */
export function sweepPosting(marketId: number, amount: bigint, createdAt: number): Posting {
  return {
    kind: 'resolution',
    reference: `resolution:${marketId}:remainder`,
    createdAt,
    entries: transfer(poolAccount(marketId), 'treasury', amount),
  };
}

/** Pays one position. The reference is the guard against paying it twice. */
export function positionPayoutPosting(payout: {
  marketId: number;
  wallet: Address;
  side: Side;
  amount: bigint;
  createdAt: number;
}): Posting {
  return {
    kind: 'settlement',
    reference: `settlement:${payout.marketId}:${payout.wallet}:${payout.side}`,
    createdAt: payout.createdAt,
    entries: transfer(poolAccount(payout.marketId), walletAccount(payout.wallet), payout.amount),
  };
}

function transfer(from: AccountId, to: AccountId, amount: bigint): Entry[] {
  return [
    { account: from, amount: -amount },
    { account: to, amount },
  ];
}

export interface LedgerChanges {
  /** One change an account (wallets, treasury, external), ascending by id: the order in which they are locked. */
  accounts: AccountChange[];
  /** Change of the pool by market id: pools live on the market, not among the accounts. */
  pools: Map<number, bigint>;
}

/** Sums entries per account. Counters and reservations are the caller's to add. */
export function accountChanges(postings: readonly Pick<Posting, 'entries'>[]): LedgerChanges {
  const sums = new Map<AccountId, bigint>();
  for (const posting of postings) {
    for (const { account, amount } of posting.entries) sums.set(account, (sums.get(account) ?? 0n) + amount);
  }
  const accounts: AccountChange[] = [];
  const pools = new Map<number, bigint>();
  for (const [id, balance] of sums) {
    if (id.startsWith('market:')) pools.set(Number(id.slice('market:'.length)), balance);
    else accounts.push({ id, balance });
  }
  accounts.sort((left, right) => (left.id < right.id ? -1 : 1));
  return { accounts, pools };
}
