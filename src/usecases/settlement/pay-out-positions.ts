/**
 * The payout of a resolved market (DESIGN §5 "Resolution"): a thousand positions a transaction, each transaction
 * balanced in itself, with a fixed number of multi-row statements. What is paid is marked in the same
 * transaction, so the payout goes on wherever it was cut off.
 */
import type { NewOutboxEvent } from '../../domain/events';
import { accountChanges, walletAccount } from '../../domain/ledger';
import { factTime } from '../../domain/market';
import { settlePosition, sweep, type Settlement } from '../../domain/settlement';
import type {
  Account,
  AccountChange,
  AccountId,
  Market,
  Outcome,
  Position,
  Posting,
} from '../../domain/types';
import type { Transaction } from '../../ports/storage';
import { settlementEvent } from '../../events/facts';

/** So few that a transaction ends soon: others wait for it wherever there is one writer. */
export const POSITIONS_PER_TRANSACTION = 1_000;

/** What the caller's transaction has decided besides, written with the first positions that are paid. */
export interface Decided {
  postings: Posting[];
  events: NewOutboxEvent[];
}

export interface Paid {
  market: Market;
  /** From the treasury; below zero when the treasury won. The caller counts it against the creator. */
  lost: bigint;
}

interface Payout {
  /** Pool and `dueAt` after the payout. */
  market: Market;
  settlements: Settlement[];
  postings: Posting[];
}

/**
 * Pays the next positions of a resolved market that the transaction has locked, and writes the market. When the
 * last one is paid nothing is due any more; else `dueAt` becomes `nextDueAt`.
 */
export async function payNextPositions(
  tx: Transaction,
  market: Market,
  { nextDueAt, decided, ...clock }: { now: number; nextDueAt: number; decided?: Decided },
): Promise<Paid> {
  const now = factTime(market, clock.now);
  // One more than is paid tells whether this is the end.
  const found = await tx.positions.listUnsettled(market.id, POSITIONS_PER_TRANSACTION + 1);
  const last = found.length <= POSITIONS_PER_TRANSACTION;
  const payout = planPayout(market, found.slice(0, POSITIONS_PER_TRANSACTION), last ? null : nextDueAt, now);
  const postings = [...(decided?.postings ?? []), ...payout.postings];
  const accounts = await creditAccounts(tx, payout.settlements, postings, now);
  const events = [
    ...(decided?.events ?? []),
    ...settlementEvents(payout.settlements, outcomeOf(market), accounts),
  ];
  await tx.markets.update([payout.market]);
  if (payout.settlements.length > 0) {
    await tx.positions.save(payout.settlements.map(({ position }) => position));
    await tx.trades.insert(payout.settlements.map(({ trade }) => trade));
  }
  if (postings.length > 0) await tx.entries.insert(postings);
  if (events.length > 0) await tx.events.append(events);
  return { market: payout.market, lost: lossOf(postings) };
}

/** What the market costs the treasury. */
function lossOf(postings: readonly Posting[]): bigint {
  const treasury = accountChanges(postings).accounts.find(({ id }) => id === 'treasury');
  return -(treasury?.balance ?? 0n);
}

function outcomeOf({ id, resolution }: Market): Outcome {
  if (resolution === null) throw new Error(`Market ${id} is not resolved: nothing is owed`);
  return resolution.outcome;
}

/** `dueAt` is `null` with the last positions: then what is left of the pool goes to the treasury. */
function planPayout(market: Market, positions: Position[], dueAt: number | null, now: number): Payout {
  const outcome = outcomeOf(market);
  const settlements = positions.map((position) => settlePosition(position, outcome, now));
  const paid = settlements.reduce((sum, { payout }) => sum + payout, 0n);
  // A fault of ours: to pay on would take the money of other markets.
  if (paid > market.pool) throw new Error(`Market ${market.id} owes ${paid}, its pool holds ${market.pool}`);
  const postings = settlements.flatMap(({ posting }) => posting ?? []);
  const after: Market = { ...market, pool: market.pool - paid, lastFactAt: now, dueAt };
  if (dueAt !== null) return { market: after, settlements, postings };
  const swept = sweep(after, now);
  return {
    market: swept.market,
    settlements,
    postings: swept.posting === null ? postings : [...postings, swept.posting],
  };
}

/** Locks the accounts that change, applies the changes, and returns the accounts as they were before. */
async function creditAccounts(
  tx: Transaction,
  settlements: readonly Settlement[],
  postings: readonly Posting[],
  now: number,
): Promise<Account[]> {
  const changes = new Map<AccountId, AccountChange>();
  for (const change of accountChanges(postings).accounts) changes.set(change.id, change);
  for (const { trade } of settlements) {
    const id = walletAccount(trade.wallet);
    const change = changes.get(id) ?? { id, balance: 0n };
    const { activityCount = 0, openPositions = 0 } = change;
    changes.set(id, { ...change, activityCount: activityCount + 1, openPositions: openPositions - 1 });
  }
  if (changes.size === 0) return [];
  const accounts = await tx.accounts.lock([...changes.keys()], now);
  await tx.accounts.apply([...changes.values()], now);
  return accounts;
}

/** One a position; a wallet that is paid on both sides sees its balance rise step by step. */
function settlementEvents(
  settlements: readonly Settlement[],
  outcome: Outcome,
  before: readonly Account[],
): NewOutboxEvent[] {
  const balances = new Map<AccountId, Pick<Account, 'balance' | 'reserved'>>();
  for (const account of before) balances.set(account.id, account);
  return settlements.map(({ trade, payout }) => {
    const id = walletAccount(trade.wallet);
    const { balance, reserved } = balances.get(id) ?? { balance: 0n, reserved: 0n };
    const account = { balance: balance + payout, reserved };
    balances.set(id, account);
    return settlementEvent({ trade, outcome, account });
  });
}
