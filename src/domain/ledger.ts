/**
 * Double entry: functions that make postings, and the effect of postings on accounts. Amounts are in micro-USD.
 */
import {
  POOL_PREFIX,
  WALLET_PREFIX,
  type AccountChange,
  type AccountId,
  type Address,
  type Entry,
  type Posting,
  type Side,
} from './types';

/**
 * The posting of a trade before the storage has given the trade its id. It has no reference yet, because the
 * reference contains the id.
 */
export type TradePosting = Omit<Posting, 'reference'>;

export function walletAccount(wallet: Address): AccountId {
  return `${WALLET_PREFIX}${wallet}`;
}

export function poolAccount(marketId: number): AccountId {
  return `${POOL_PREFIX}${marketId}`;
}

/** `null` for an account that is no wallet. */
export function walletOfAccount(id: AccountId): Address | null {
  return id.startsWith(WALLET_PREFIX) ? id.slice(WALLET_PREFIX.length) : null;
}

/** `null` for an account that is no pool. */
export function marketOfPool(id: AccountId): number | null {
  return id.startsWith(POOL_PREFIX) ? Number(id.slice(POOL_PREFIX.length)) : null;
}

export function isAccountId(text: string): text is AccountId {
  if (text === 'treasury' || text === 'external') return true;
  return text.startsWith(WALLET_PREFIX) || text.startsWith(POOL_PREFIX);
}

/** Throws when the entries do not sum to zero. Such a posting is a fault of the program, never of a caller. */
export function assertBalanced(posting: Pick<Posting, 'entries'> & { reference?: string }): void {
  let sum = 0n;
  for (const { amount } of posting.entries) sum += amount;
  if (sum !== 0n) throw new Error(`Posting ${posting.reference ?? '(unnamed)'} is out of balance by ${sum}`);
}

function balanced<T extends Pick<Posting, 'entries'>>(posting: T): T {
  assertBalanced(posting);
  return posting;
}

export function depositReference(reference: string): string {
  return `deposit:${reference}`;
}

export function creditedAccount(wallet: Address | 'treasury'): AccountId {
  return wallet === 'treasury' ? wallet : walletAccount(wallet);
}

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

export const withdrawalReference = (id: number): string => `withdrawal:${id}`;
export const tradeReference = (id: number): string => `trade:${id}`;
export const positionPayoutReference = (payout: { marketId: number; wallet: Address; side: Side }): string =>
  `settlement:${payout.marketId}:${payout.wallet}:${payout.side}`;

/** The posting of a confirmed withdrawal. Its unique reference prevents a second booking. */
export function withdrawalPosting(withdrawal: {
  id: number;
  wallet: Address;
  amount: bigint;
  createdAt: number;
}): Posting {
  return {
    kind: 'withdrawal',
    reference: withdrawalReference(withdrawal.id),
    createdAt: withdrawal.createdAt,
    entries: transfer(walletAccount(withdrawal.wallet), 'external', withdrawal.amount),
  };
}

/**
 * The entries of a trade. A buyer pays the notional into the pool. A seller gets the notional from the pool,
 * and `poolChange` is negative. Buyers and sellers pay the creator's fee.
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

export function tradePosting(tradeId: number, { kind, createdAt, entries }: TradePosting): Posting {
  return balanced({ kind, reference: tradeReference(tradeId), createdAt, entries });
}

/**
 * The posting that sets the pool to the amount that the market owes (`amountOwed`). A positive `poolChange`
 * comes from the treasury, a negative one goes to the treasury.
 */
export function resolutionPosting(marketId: number, poolChange: bigint, createdAt: number): Posting {
  return {
    kind: 'resolution',
    reference: `resolution:${marketId}`,
    createdAt,
    entries: transfer('treasury', poolAccount(marketId), poolChange),
  };
}

/** The posting that moves what is left in a pool to the treasury after the last payout. */
export function sweepPosting(marketId: number, amount: bigint, createdAt: number): Posting {
  return {
    kind: 'resolution',
    reference: `resolution:${marketId}:remainder`,
    createdAt,
    entries: transfer(poolAccount(marketId), 'treasury', amount),
  };
}

/** The posting that pays a position out. Its unique reference prevents a second payout. */
export function positionPayoutPosting(payout: {
  marketId: number;
  wallet: Address;
  side: Side;
  amount: bigint;
  createdAt: number;
}): Posting {
  return {
    kind: 'settlement',
    reference: positionPayoutReference(payout),
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
  /**
   * One change for each account (wallets, treasury, external), ascending by id, which is the order of locks.
   */
  accounts: AccountChange[];
  /** Changes of pools by market id. A pool is a field of its market, not an account row. */
  pools: Map<number, bigint>;
}

/** Sums the entries of each account. Postings say nothing about counters and reservations. */
export function accountChanges(postings: readonly Pick<Posting, 'entries'>[]): LedgerChanges {
  const sums = new Map<AccountId, bigint>();
  for (const posting of postings) {
    for (const { account, amount } of posting.entries) sums.set(account, (sums.get(account) ?? 0n) + amount);
  }
  const accounts: AccountChange[] = [];
  const pools = new Map<number, bigint>();
  for (const [id, balance] of sums) {
    const marketId = marketOfPool(id);
    if (marketId === null) accounts.push({ id, balance });
    else pools.set(marketId, balance);
  }
  accounts.sort((left, right) => (left.id < right.id ? -1 : 1));
  return { accounts, pools };
}
