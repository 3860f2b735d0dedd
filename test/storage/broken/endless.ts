import type { Storage } from '../../../src/ports/storage';
import { altered } from './altered';

const never = (): Promise<never> => new Promise(() => undefined);

export const withEndlessPages = (storage: Storage): Storage =>
  altered(storage, {
    reader: (r) => ({ events: { ...r.events, after: (_seq, limit) => r.events.after(0, limit) } }),
  });

/** Reports at every call that `limit` events were numbered, so the caller expects more events. */
export const withEndlessNumbering = (storage: Storage): Storage =>
  altered(storage, {
    transaction: (transaction) => ({
      events: {
        ...transaction.events,
        sequence: async (limit) => {
          await transaction.events.sequence(limit);
          return limit;
        },
      },
    }),
  });

export function withEndlessLocks(storage: Storage): Storage {
  let holders = 0;
  return altered(storage, {
    transaction: (transaction) => ({
      markets: {
        ...transaction.markets,
        lock: (ids) => {
          holders += 1;
          return holders > 1 ? never() : transaction.markets.lock(ids);
        },
      },
    }),
  });
}

export const withEndlessClose = (storage: Storage): Storage => ({ ...storage, close: never });
export const withEndlessPing = (storage: Storage): Storage => ({ ...storage, ping: never });
