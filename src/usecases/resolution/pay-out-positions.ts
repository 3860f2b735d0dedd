/**
 * Pays the positions of a resolved market out (docs/specification.md "Payouts of positions"). Each transaction
 * pays at most a thousand positions and marks them as paid, so another instance can continue after a crash.
 */
import type { NewFact } from '../../domain/events';
import { accountChanges, walletAccount } from '../../domain/ledger';
import { factTime } from '../../domain/market';
import { paidPosition, sweep, type PositionPayout } from '../../domain/resolution';
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
import { settlementFact } from '../../events/facts';

/**
 * The number is small enough to keep the transaction short: on a storage with one writer, all other writers
 * wait for the transaction.
 */
export const POSITIONS_PER_TRANSACTION = 1_000;

/** The writes of the resolution itself, which go into the same transaction as the first payouts. */
export interface ResolutionWrites {
  postings: Posting[];
  events: NewFact[];
}

export interface PaidOut {
  market: Market;
  /** The micro-USD that the treasury has paid; negative when the treasury received money. */
  lost: bigint;
}

interface PayoutPlan {
  market: Market;
  payouts: PositionPayout[];
  postings: Posting[];
}

/**
 * Pays the next positions of a resolved market that the transaction has locked, and writes the market. While
 * positions remain, `dueAt` becomes `nextDueAt`. After the last position, `dueAt` is `null`.
 */
export async function payOutPositions(
  transaction: Transaction,
  market: Market,
  { nextDueAt, resolution, ...clock }: { now: number; nextDueAt: number; resolution?: ResolutionWrites },
): Promise<PaidOut> {
  const now = factTime(market, clock.now);
  // One position more than the transaction pays is read. If that position does not exist, this is the last
  // transaction.
  const unpaid = await transaction.positions.listUnpaid(market.id, POSITIONS_PER_TRANSACTION + 1);
  const dueAt = unpaid.length <= POSITIONS_PER_TRANSACTION ? null : nextDueAt;
  const plan = planPayouts(market, unpaid.slice(0, POSITIONS_PER_TRANSACTION), dueAt, now);
  const postings = [...(resolution?.postings ?? []), ...plan.postings];
  const accounts = await creditAccounts(transaction, plan.payouts, postings, now);
  const events = [...(resolution?.events ?? []), ...payoutEvents(plan.payouts, outcomeOf(market), accounts)];
  await transaction.markets.update([plan.market]);
  if (plan.payouts.length > 0) {
    await transaction.positions.save(plan.payouts.map(({ position }) => position));
    await transaction.trades.insert(plan.payouts.map(({ trade }) => trade));
  }
  if (postings.length > 0) await transaction.postings.insert(postings);
  if (events.length > 0) await transaction.events.append(events);
  return { market: plan.market, lost: treasuryLoss(postings) };
}

function treasuryLoss(postings: readonly Posting[]): bigint {
  const treasury = accountChanges(postings).accounts.find(({ id }) => id === 'treasury');
  return -(treasury?.balance ?? 0n);
}

function outcomeOf({ id, resolution }: Market): Outcome {
  if (resolution === null) throw new Error(`Market ${id} is not resolved: it owes nothing`);
  return resolution.outcome;
}

/** Plans the payouts. After the last positions (`dueAt` is `null`), what is left in the pool goes to the treasury. */
function planPayouts(market: Market, positions: Position[], dueAt: number | null, now: number): PayoutPlan {
  const outcome = outcomeOf(market);
  const payouts = positions.map((position) => paidPosition(position, outcome, now));
  const paid = payouts.reduce((sum, { payout }) => sum + payout, 0n);
  // Only a defect in the books leads here. A payout beyond the pool would take the money of other markets.
  if (paid > market.pool) throw new Error(`Market ${market.id} owes ${paid}, its pool holds ${market.pool}`);
  const postings = payouts.flatMap(({ posting }) => posting ?? []);
  const after: Market = { ...market, pool: market.pool - paid, lastFactAt: now, dueAt };
  if (dueAt !== null) return { market: after, payouts, postings };
  const swept = sweep(after, now);
  return {
    market: swept.market,
    payouts,
    postings: swept.posting === null ? postings : [...postings, swept.posting],
  };
}

/** Applies the changes to the accounts, and returns the accounts as they were before. */
async function creditAccounts(
  transaction: Transaction,
  payouts: readonly PositionPayout[],
  postings: readonly Posting[],
  now: number,
): Promise<Account[]> {
  const changes = new Map<AccountId, AccountChange>();
  for (const change of accountChanges(postings).accounts) changes.set(change.id, change);
  for (const { trade } of payouts) {
    const id = walletAccount(trade.wallet);
    const change = changes.get(id) ?? { id, balance: 0n };
    const { activityCount = 0, openPositions = 0 } = change;
    changes.set(id, { ...change, activityCount: activityCount + 1, openPositions: openPositions - 1 });
  }
  if (changes.size === 0) return [];
  const accounts = await transaction.accounts.lock([...changes.keys()], now);
  await transaction.accounts.apply([...changes.values()], now);
  return accounts;
}

/**
 * One fact for each position. For a wallet with positions on both sides, the second fact has the balance after both
 * payouts.
 */
function payoutEvents(
  payouts: readonly PositionPayout[],
  outcome: Outcome,
  before: readonly Account[],
): NewFact[] {
  const balances = new Map<AccountId, Pick<Account, 'balance' | 'reserved'>>();
  for (const account of before) balances.set(account.id, account);
  return payouts.map(({ trade, payout }) => {
    const id = walletAccount(trade.wallet);
    const { balance, reserved } = balances.get(id) ?? { balance: 0n, reserved: 0n };
    const account = { balance: balance + payout, reserved };
    balances.set(id, account);
    return settlementFact({ trade, outcome, account });
  });
}
