import type { StoredFact } from '../../src/domain/events';
import type { Storage } from '../../src/ports/storage';
import { MINUTE, NOW } from './samples';
import { untilNone } from './suite';

/**
 * Gives numbers to the waiting facts, as the event relay does, and returns how many facts it has numbered. It stops
 * when no fact waits or another relay has the lease.
 */
export async function relay(storage: Storage, owner = 'relay'): Promise<number> {
  let sequenced = 0;
  await untilNone(async () => {
    const step = await storage.transaction(async (transaction) => {
      const lease = await transaction.leases.acquire({
        name: 'event-relay',
        owner,
        now: NOW,
        until: NOW + MINUTE,
      });
      if (lease === null) return 0;
      const count = await transaction.events.sequence(3);
      await transaction.leases.release({ name: 'event-relay', owner });
      return count;
    });
    sequenced += step;
    return step > 0;
  });
  return sequenced;
}

/** All numbered facts, read page by page. */
export async function readEvents(storage: Storage): Promise<StoredFact[]> {
  const events: StoredFact[] = [];
  await untilNone(async () => {
    const page = await storage.read((r) => r.events.after(events.at(-1)?.seq ?? 0, 7));
    events.push(...page);
    return page.length > 0;
  });
  return events;
}
