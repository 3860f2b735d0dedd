import type { Storage } from '../../../src/ports/storage';
import { altered } from './altered';

export const withOldestActsFirst = (storage: Storage): Storage =>
  altered(storage, {
    reader: ({ operatorLog }) => ({
      operatorLog: { list: async (query) => (await operatorLog.list(query)).reverse() },
    }),
  });

export const withUnfilteredActs = (storage: Storage): Storage =>
  altered(storage, {
    reader: ({ operatorLog }) => ({
      operatorLog: { list: ({ limit, offset }) => operatorLog.list({ limit, offset }) },
    }),
  });

export const withUntilIncluded = (storage: Storage): Storage =>
  altered(storage, {
    reader: ({ operatorLog }) => ({
      operatorLog: {
        list: ({ until, ...query }) =>
          operatorLog.list({ ...query, ...(until !== undefined && { until: until + 1 }) }),
      },
    }),
  });

export const withoutDetails = (storage: Storage): Storage =>
  altered(storage, {
    transaction: ({ operatorLog }) => ({
      operatorLog: { ...operatorLog, append: (act) => operatorLog.append({ ...act, details: {} }) },
    }),
  });
