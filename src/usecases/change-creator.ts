import type { Address, Creator } from '../domain/types';
import { creatorEvent } from '../views/events';
import type { Context } from './context';

/** Changes a creator's record under its lock, and tells of it. */
export async function changeCreator(
  context: Context,
  address: Address,
  change: (current: Creator | null, now: number) => Creator,
): Promise<Creator> {
  const now = context.clock.now();
  const changed = await context.storage.transaction(async (tx) => {
    const next = change(await tx.creators.lock(address), now);
    await tx.creators.save(next);
    await tx.events.append([creatorEvent(next, now)]);
    return next;
  });
  context.eventsAppended();
  return changed;
}
