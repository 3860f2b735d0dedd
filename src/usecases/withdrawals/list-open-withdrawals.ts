import { openWithdrawalView, type OpenWithdrawalListView } from '../../views/withdrawal';
import type { ListOpenWithdrawalsCommand } from '../commands';
import type { Context } from '../context';

export async function listOpenWithdrawals(
  { storage }: Context,
  { status, after, limit }: ListOpenWithdrawalsCommand,
): Promise<OpenWithdrawalListView> {
  const query = { afterId: after, limit: limit + 1, ...(status !== null && { status }) };
  const found = await storage.read((reader) => reader.withdrawals.listOpen(query));
  return {
    withdrawals: found.slice(0, limit).map(openWithdrawalView),
    limit,
    hasMore: found.length > limit,
  };
}
