/** Adapters that break what is promised about the operators' log. */
import type { Storage } from '../../../src/ports/storage';
import { altered } from './altered';

/** Lists the oldest acts first. */
export const withOldestActsFirst = (storage: Storage): Storage =>
  altered(storage, {
    reader: ({ operatorLog }) => ({
      operatorLog: { list: async (query) => (await operatorLog.list(query)).reverse() },
    }),
  });

/** Answers with all acts where those of one action are asked for. */
export const withUnfilteredActs = (storage: Storage): Storage =>
  altered(storage, {
    reader: ({ operatorLog }) => ({
      operatorLog: { list: ({ limit, offset }) => operatorLog.list({ limit, offset }) },
    }),
  });

/** Keeps no details of acts. */
export const withoutDetails = (storage: Storage): Storage =>
  altered(storage, {
    transaction: ({ operatorLog }) => ({
      operatorLog: { ...operatorLog, append: (act) => operatorLog.append({ ...act, details: {} }) },
    }),
  });
