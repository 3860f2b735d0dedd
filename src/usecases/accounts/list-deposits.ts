import { creditView, type CreditListView } from '../../views/credit';
import type { ListDepositsCommand } from '../commands';
import type { Context } from '../context';

/** One page of the deposits of a wallet. There is no total, because no counter exists for deposits. */
export async function listDeposits(
  { storage }: Context,
  { wallet, limit, offset }: ListDepositsCommand,
): Promise<CreditListView> {
  const found = await storage.read((reader) => reader.deposits.list({ wallet, limit: limit + 1, offset }));
  return { deposits: found.slice(0, limit).map(creditView), limit, offset, hasMore: found.length > limit };
}
