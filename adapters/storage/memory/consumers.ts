import type { Consumer } from '../../../src/domain/consumers';
import type { ConsumerReader, ConsumerRepository, ParkedFactKey } from '../../../src/ports/storage';
import { addTo, ALL, parkedFactKey, type Database, type Gate } from './database';
import { only, take } from './paging';
import { copyConsumer, parkedFactOf, parkedFactRow, type ParkedFactRow } from './rows';

export function consumerReader(db: Database, gate: Gate): ConsumerReader {
  const rowsOf = (consumer: string): ParkedFactRow[] =>
    [...db.parkedByConsumer.in(consumer).ascending()].map(
      (key) => db.parkedFacts.get(parkedFactKey({ ...key, consumer })) as ParkedFactRow,
    );
  return {
    find: (name) => gate(() => found(db.consumers.get(name))),
    list: () =>
      gate(() =>
        [...db.consumersByName.in(ALL).ascending()].map((name) => ({
          ...copyConsumer(db.consumers.get(name) as Consumer),
          parked: db.parkedByConsumer.in(name).size,
        })),
      ),
    listParked: ({ consumer, redo, limit, offset }) =>
      gate(() => {
        const rows = [...only(rowsOf(consumer), (row) => redo !== true || row.redo)];
        return { parked: take(rows.slice(offset), limit).map(parkedFactOf), total: rows.length };
      }),
  };
}

export function consumerRepository(db: Database, gate: Gate): ConsumerRepository {
  return addTo<ConsumerReader, ConsumerRepository>(consumerReader(db, gate), {
    insert: (consumer) =>
      gate(() => {
        if (db.consumers.has(consumer.name)) return false;
        db.consumers.put(copyConsumer(consumer));
        return true;
      }),
    lock: (name) => gate(() => found(db.consumers.get(name))),
    update: (consumer) =>
      gate(() => {
        const before = db.consumers.get(consumer.name);
        if (before === undefined) throw new Error(`storage: consumer ${consumer.name} does not exist`);
        db.consumers.put(copyConsumer({ ...consumer, createdAt: before.createdAt }));
      }),
    remove: (name) =>
      gate(() => {
        const parked = [...db.parkedByConsumer.in(name).ascending()];
        for (const key of parked) db.parkedFacts.remove(parkedFactKey({ ...key, consumer: name }));
        return removed(db.consumers, name);
      }),
    park: (fact) => gate(() => db.parkedFacts.put(parkedFactRow(fact))),
    unpark: (key: ParkedFactKey) => gate(() => removed(db.parkedFacts, parkedFactKey(key))),
  });
}

function found(consumer: Consumer | undefined): Consumer | null {
  return consumer === undefined ? null : copyConsumer(consumer);
}

function removed(table: { has(key: string): boolean; remove(key: string): void }, key: string): boolean {
  const wasThere = table.has(key);
  table.remove(key);
  return wasThere;
}
