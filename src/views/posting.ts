/** What has changed the balance of a wallet, for operators. */
import type { PostingsPosition, WalletPosting } from '../domain/wallet-postings';
import type { PostingKind } from '../domain/types';
import { isoTime, usd } from './format';

export interface PostingView {
  /** trade: an order; settlement: the payout of a position; deposit and withdrawal: money from and to outside. */
  kind: PostingKind;
  /** The reference of the posting in the ledger. */
  reference: string;
  /** What the wallet got, or paid if it is negative, USD. */
  amount: number;
  /** The number of the market; null for deposits and withdrawals. */
  marketId: number | null;
  /** When the money moved, ISO 8601. */
  createdAt: string;
}

export interface PostingListView {
  postings: PostingView[];
  /** How many rows a page has at most. */
  limit: number;
  /** Where the next page begins, for `after`; null on the last page. */
  next: string | null;
}

export function postingView({ kind, reference, amount, marketId, createdAt }: WalletPosting): PostingView {
  return { kind, reference, amount: usd(amount), marketId, createdAt: isoTime(createdAt) };
}

/** The text that `after` reads. */
export function positionText({ trades, deposits, withdrawals }: PostingsPosition): string {
  return `${trades}-${deposits}-${withdrawals}`;
}
