import { walletAccount } from '../../domain/ledger';
import type { Address, Creator } from '../../domain/types';
import { creatorEvent } from '../../events/facts';
import type { Context } from '../context';

/**
 * Changes a creator's record, and tells of it when the status or its reason is another than before. Under the
 * lock of the wallet's account: a creator without a row could not be locked itself, and an application must not
 * overwrite the verdict that is written beside it.
 */
export async function changeCreator(
  context: Context,
  address: Address,
  change: (current: Creator | null, now: number) => Creator,
): Promise<Creator> {
  const { creator, told } = await context.storage.transaction(async (tx) => {
    const now = context.clock.now();
    await tx.accounts.lock([walletAccount(address)], now);
    const current = await tx.creators.lock(address);
    const next = change(current, now);
    await tx.creators.save(next);
    const isNews = current?.status !== next.status || current.rejectedReason !== next.rejectedReason;
    if (isNews) await tx.events.append([creatorEvent(next, now)]);
    return { creator: next, told: isNews };
  });
  if (told) context.eventsAppended();
  return creator;
}
