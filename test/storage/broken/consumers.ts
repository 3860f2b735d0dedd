import type { Storage } from '../../../src/ports/storage';
import { altered } from './altered';

export const withReplacedConsumers = (storage: Storage): Storage =>
  altered(storage, {
    transaction: (transaction) => ({
      consumers: {
        ...transaction.consumers,
        insert: async (consumer) => {
          await transaction.consumers.remove(consumer.name);
          return transaction.consumers.insert(consumer);
        },
      },
    }),
  });

export const withUnlockedConsumers = (storage: Storage): Storage => ({
  ...storage,
  async transaction(work) {
    const seen = await storage.read((reader) => reader.consumers.list());
    return storage.transaction((transaction) =>
      work({
        ...transaction,
        consumers: {
          ...transaction.consumers,
          lock: async (name) => seen.find((consumer) => consumer.name === name) ?? null,
        },
      }),
    );
  },
});

/** A later consumer of the same name gets the parked facts of the removed consumer. */
export const withOrphanedFacts = (storage: Storage): Storage =>
  altered(storage, {
    transaction: (transaction) => ({
      consumers: {
        ...transaction.consumers,
        remove: async (name) => {
          const { parked } = await transaction.consumers.listParked({
            consumer: name,
            limit: 100,
            offset: 0,
          });
          const removed = await transaction.consumers.remove(name);
          for (const fact of parked) await transaction.consumers.park(fact);
          return removed;
        },
      },
    }),
  });

export const withUnheldEvents = (storage: Storage): Storage =>
  altered(storage, {
    transaction: (transaction) => ({
      events: {
        ...transaction.events,
        deleteBefore: (createdBefore, limit) => transaction.events.deleteBefore(createdBefore, limit),
      },
    }),
  });
