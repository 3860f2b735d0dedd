import type { OutboxEvent } from '../../domain/events';
import type { Storage } from '../../ports/storage';
import { HOUR, NOW } from './samples';

/** Gives `seq` to all that waits, as the event relay does; several at once take turns by the lease. Returns how many it gave. */
export async function relay(storage: Storage, owner = 'relay'): Promise<number> {
  let sequenced = 0;
  for (;;) {
    const step = await storage.transaction(async (tx) => {
      const lease = await tx.leases.acquire({ name: 'event-relay', owner, now: NOW, until: NOW + HOUR });
      if (lease === null) return 0;
      const count = await tx.events.sequence(3);
      await tx.leases.release({ name: 'event-relay', owner });
      return count;
    });
    if (step === 0) return sequenced;
    sequenced += step;
  }
}

/** All sequenced events, read page by page as a tail reads them. */
export async function readEvents(storage: Storage): Promise<OutboxEvent[]> {
  const events: OutboxEvent[] = [];
  for (;;) {
    const page = await storage.read((r) => r.events.after(events.at(-1)?.seq ?? 0, 7));
    if (page.length === 0) return events;
    events.push(...page);
  }
}
