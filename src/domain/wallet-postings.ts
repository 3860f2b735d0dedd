/**
 * The postings of one wallet, newest first, merged from the lists of its trades, deposits and withdrawals. The fees
 * that the wallet earns as a creator on other wallets' trades are left out.
 */
import { depositReference, positionPayoutReference, tradeReference, withdrawalReference } from './ledger';
import type { Address, Deposit, PostingKind, Trade } from './types';
import type { Withdrawal } from './withdrawals';

/** What a posting has changed on the account of the wallet. */
export interface WalletPosting {
  kind: PostingKind;
  reference: string;
  /** In micro-USD. A positive amount credits the wallet. */
  amount: bigint;
  /** `null` for deposits and withdrawals. */
  marketId: number | null;
  createdAt: number;
}

/** How many rows of each list lie before the page. */
export interface PostingsPosition {
  trades: number;
  deposits: number;
  withdrawals: number;
}

/** The rows of each list that follow the position, newest first: at most one row more than the page has. */
export interface PostingSources {
  trades: readonly TradeOfMarket[];
  deposits: readonly Deposit[];
  withdrawals: readonly Withdrawal[];
}
export type TradeOfMarket = Trade & { market: { creator: Address } };

interface Line {
  /** The place of the row among those of the other lists. */
  at: number;
  /** `null` for a row without a posting: no money has moved. */
  posting: WalletPosting | null;
}

const NAMES = ['trades', 'deposits', 'withdrawals'] as const satisfies readonly (keyof PostingSources)[];

/**
 * A page of at most `limit` postings. `next` is the position after the page, or `null` when no row follows. A page can
 * have fewer postings although others follow, because rows without a posting are left out. A page
 * can begin with postings that are newer than the last ones of the page before, if withdrawals were not confirmed in the
 * order of their requests.
 */
export function postingsPage(
  sources: PostingSources,
  from: PostingsPosition,
  limit: number,
): { postings: WalletPosting[]; next: PostingsPosition | null } {
  const lines = {
    trades: sources.trades.map(lineOfTrade),
    deposits: sources.deposits.map(lineOfDeposit),
    withdrawals: latestFirst(sources.withdrawals.map(lineOfWithdrawal)),
  };
  const taken: PostingsPosition = { trades: 0, deposits: 0, withdrawals: 0 };
  const postings: WalletPosting[] = [];
  // The rows that follow a full list are not known here, so the page ends where such a list ends.
  const ends = (name: keyof PostingSources): boolean =>
    lines[name].length > limit && taken[name] === lines[name].length;
  while (postings.length < limit && !NAMES.some(ends)) {
    const newest = newestOf(lines, taken);
    if (newest === null) return { postings: postings.toSorted(byTime), next: null };
    const line = lines[newest][taken[newest]];
    taken[newest] += 1;
    if (line !== undefined && line.posting !== null) postings.push(line.posting);
  }
  const isLast = NAMES.every((name) => lines[name].length <= limit && taken[name] === lines[name].length);
  return { postings: postings.toSorted(byTime), next: isLast ? null : sumOf(from, taken) };
}

const byTime = (a: WalletPosting, b: WalletPosting): number => b.createdAt - a.createdAt;

/**
 * The list has the withdrawals in the order of their requests, and they may be confirmed in another order. A late one takes
 * those before it along, so that older rows of the other lists do not come before it.
 */
function latestFirst(lines: readonly Line[]): Line[] {
  const following = (index: number): number[] => lines.slice(index).map(({ at }) => at);
  return lines.map((line, index) => ({ ...line, at: Math.max(...following(index)) }));
}

function newestOf(
  lines: Record<keyof PostingSources, readonly Line[]>,
  taken: PostingsPosition,
): keyof PostingSources | null {
  const at = (name: keyof PostingSources): number => lines[name][taken[name]]?.at ?? -Infinity;
  const newest = NAMES.reduce((best, name) => (at(name) > at(best) ? name : best));
  return at(newest) === -Infinity ? null : newest;
}

function sumOf(from: PostingsPosition, taken: PostingsPosition): PostingsPosition {
  return {
    trades: from.trades + taken.trades,
    deposits: from.deposits + taken.deposits,
    withdrawals: from.withdrawals + taken.withdrawals,
  };
}

function lineOfTrade(trade: TradeOfMarket): Line {
  const { id, type, marketId, wallet, side, action, totalCost, fee, market, createdAt: at } = trade;
  const paid = action === 'buy' ? -totalCost : totalCost;
  // The creator of a market gets the fees of its own orders back in the same posting.
  const amount = market.creator === wallet && type === 'trade' ? paid + fee : paid;
  const common = { amount, marketId, createdAt: at };
  if (type === 'trade') return { at, posting: { kind: 'trade', reference: tradeReference(id), ...common } };
  const reference = positionPayoutReference({ marketId, wallet, side });
  return { at, posting: totalCost === 0n ? null : { kind: 'settlement', reference, ...common } };
}

function lineOfDeposit({ reference, amount, createdAt: at }: Deposit): Line {
  const posting = { kind: 'deposit', reference: depositReference(reference), amount } as const;
  return { at, posting: { ...posting, marketId: null, createdAt: at } };
}

/** The money leaves the wallet when the withdrawal is confirmed. */
function lineOfWithdrawal({ id, status, amount, updatedAt: at }: Withdrawal): Line {
  if (status !== 'confirmed') return { at, posting: null };
  const posting = { kind: 'withdrawal', reference: withdrawalReference(id), amount: -amount } as const;
  return { at, posting: { ...posting, marketId: null, createdAt: at } };
}
