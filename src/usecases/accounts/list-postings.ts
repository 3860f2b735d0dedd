import { postingsPage } from '../../domain/wallet-postings';
import { positionText, postingView, type PostingListView } from '../../views/posting';
import type { ListPostingsCommand } from '../commands';
import type { Context } from '../context';

const NEWEST = { trades: 0, deposits: 0, withdrawals: 0 };

/**
 * One page of the postings that have changed the balance of a wallet, newest first. The fees that the wallet earns as
 * the creator of markets are not listed: no index finds them by wallet.
 */
export async function listPostings(
  { storage }: Context,
  { address: wallet, limit, after }: ListPostingsCommand,
): Promise<PostingListView> {
  const from = after ?? NEWEST;
  const sources = await storage.snapshot(async (reader) => {
    // One row more than the page shows whether another page follows.
    const of = (offset: number) => ({ wallet, limit: limit + 1, offset });
    return {
      trades: (await reader.trades.listByWallet(of(from.trades))).trades,
      deposits: await reader.deposits.list(of(from.deposits)),
      withdrawals: (await reader.withdrawals.list(of(from.withdrawals))).withdrawals,
    };
  });
  const { postings, next } = postingsPage(sources, from, limit);
  return { postings: postings.map(postingView), limit, next: next === null ? null : positionText(next) };
}
