import type { StoredFact } from '../../../src/domain/events';
import type { EventReader, EventRepository } from '../../../src/ports/storage';
import { addTo, ALL, type Database, type Gate } from './database';
import { take } from './paging';
import type { EventRow } from './rows';

const SEQUENCE = 'event';

export function eventReader(db: Database, gate: Gate): EventReader {
  return {
    after: (seq, limit) =>
      gate(() =>
        take(db.eventOrder.in(ALL).ascending(seq + 1), limit).map((found) =>
          toEvent(db.events.get(found) as EventRow),
        ),
      ),
    head: () => gate(() => head(db)),
  };
}

export function eventRepository(db: Database, gate: Gate): EventRepository {
  return addTo<EventReader, EventRepository>(eventReader(db, gate), {
    // There is one writer at a time, and a rollback includes the counter. So the numbers follow the order of
    // commits without gaps.
    append: (events) =>
      gate(() => {
        for (const { marketId, marketSeq, kind, createdAt, data } of events) {
          const seq = db.nextNumber(SEQUENCE);
          db.events.put({ seq, marketId, marketSeq, kind, createdAt, data: JSON.stringify(data) });
        }
      }),
    sequence: () => gate(() => 0),
    deleteBefore: (createdBefore, limit, upTo = Infinity) =>
      gate(() => {
        const newest = head(db);
        const old: number[] = [];
        for (const { time, id } of db.eventsByAge.in(ALL).ascending()) {
          if (time >= createdBefore || old.length >= limit) break;
          if (id !== newest && id <= upTo) old.push(id);
        }
        for (const seq of old) db.events.remove(seq);
        return old.length;
      }),
  });
}

function head(db: Database): number {
  return db.counters.get(SEQUENCE)?.value ?? 0;
}

function toEvent({ seq, marketId, marketSeq, kind, createdAt, data }: EventRow): StoredFact {
  return { seq, marketId, marketSeq, kind, createdAt, data: JSON.parse(data) as Record<string, unknown> };
}
