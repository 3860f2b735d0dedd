import { walletAccount } from '../../domain/ledger';
import type { Address, Creator } from '../../domain/types';
import { creatorFact } from '../../events/facts';
import type { Transaction } from '../../ports/storage';
import type { Context } from '../context';

/**
 * Changes a creator under the lock of the wallet's account, because a new creator has no row to lock yet.
 * Without this lock, an application could overwrite an operator's verdict that is written at the same time.
 */
export async function changeCreator(
  context: Context,
  address: Address,
  change: (current: Creator | null, now: number) => Creator,
  onNews: (transaction: Transaction) => Promise<void> = async () => undefined,
): Promise<Creator> {
  const { creator, isNews } = await context.storage.transaction(async (transaction) => {
    const now = context.clock.now();
    await transaction.accounts.lock([walletAccount(address)], now);
    const current = await transaction.creators.lock(address);
    const next = change(current, now);
    await transaction.creators.save(next);
    const isNews = current?.status !== next.status || current.rejectedReason !== next.rejectedReason;
    if (isNews) {
      await transaction.events.append([creatorFact(next, now)]);
      await onNews(transaction);
    }
    return { creator: next, isNews };
  });
  if (isNews) context.eventsAppended();
  return creator;
}
