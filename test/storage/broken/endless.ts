/** Adapters on which a suite without limits of its own would never end. */
import type { Storage } from '../../../src/ports/storage';
import { altered } from './altered';

const never = (): Promise<never> => new Promise(() => undefined);

/** Always returns the first page. */
export const withEndlessPages = (storage: Storage): Storage =>
  altered(storage, {
    reader: (r) => ({ events: { ...r.events, after: (_seq, limit) => r.events.after(0, limit) } }),
  });

/** Reports at every call that it has numbered `limit` events. So the caller expects more events. */
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

/** Waits without a time limit for a row that another transaction holds. */
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
