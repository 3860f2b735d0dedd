import type { Challenge, Market } from '../../../src/domain/types';
import type { MarketRecord, Storage, Transaction } from '../../../src/ports/storage';
import { altered } from './altered';

export function withoutRollback(storage: Storage): Storage {
  return {
    ...storage,
    async transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
      const outcome = await storage.transaction((transaction) =>
        work(transaction).then(
          (result) => ({ ok: true as const, result }),
          (error: unknown) => ({ ok: false as const, error }),
        ),
      );
      if (!outcome.ok) throw outcome.error;
      return outcome.result;
    },
  };
}

/**
 * `lock` waits, but returns the markets as they were when the transaction was called. So a transaction overwrites
 * later commits.
 */
export function withLostUpdates(storage: Storage): Storage {
  let committed: ReadonlyMap<number, Market> = new Map();
  return {
    ...storage,
    async transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
      const seen = committed;
      let written = new Map<number, Market>();
      const result = await storage.transaction((transaction) => {
        written = new Map();
        const note = (market: Market): unknown => written.set(market.id, { ...market });
        const markets: Transaction['markets'] = {
          ...transaction.markets,
          lock: async (ids) =>
            (await transaction.markets.lock(ids)).map((market) => seen.get(market.id) ?? market),
          insert: async (market) => (await transaction.markets.insert(market)) && note(market) !== undefined,
          update: async (changed) => {
            changed.forEach(note);
            await transaction.markets.update(changed);
          },
        };
        return work({ ...transaction, markets });
      });
      committed = new Map([...committed, ...written]);
      return result;
    },
  };
}

export function withDirtyReads(storage: Storage): Storage {
  let open: Transaction | null = null;
  const dirty = altered(storage, {
    reader: (r) => ({
      markets: { ...r.markets, findByIds: (ids) => (open ?? r).markets.findByIds(ids) },
    }),
  });
  return {
    ...dirty,
    snapshot: dirty.read,
    transaction: (work) =>
      storage.transaction(async (transaction) => {
        open = transaction;
        try {
          return await work(transaction);
        } finally {
          open = null;
        }
      }),
  };
}

export const withTornSnapshots = (storage: Storage): Storage => ({ ...storage, snapshot: storage.read });

export function withSharedNonces(storage: Storage): Storage {
  const live = new Map<string, Challenge>();
  return {
    ...storage,
    async transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
      const seen = new Map(live);
      return storage.transaction((transaction) => {
        const challenges: Transaction['challenges'] = {
          ...transaction.challenges,
          insert: async (challenge) => {
            await transaction.challenges.insert(challenge);
            live.set(challenge.nonce, challenge);
          },
          consume: async (nonce) => {
            const taken = await transaction.challenges.consume(nonce);
            live.delete(nonce);
            return taken ?? seen.get(nonce) ?? null;
          },
        };
        return work({ ...transaction, challenges });
      });
    },
  };
}

export function withStaleReads(storage: Storage): Storage {
  const cache = new Map<number, MarketRecord>();
  return altered(storage, {
    reader: (r) => ({
      markets: {
        ...r.markets,
        findByIds: async (ids) => {
          for (const market of await r.markets.findByIds(ids))
            if (!cache.has(market.id)) cache.set(market.id, market);
          return ids.map((id) => cache.get(id)).filter((market) => market !== undefined);
        },
      },
    }),
  });
}

export const withHastyClose = (storage: Storage): Storage => ({
  ...storage,
  close: async () => {
    void storage.close();
  },
});

export function withSharedRows(storage: Storage): Storage {
  const stored = new Map<number, MarketRecord>();
  return altered(storage, {
    reader: (r) => ({
      markets: {
        ...r.markets,
        findByIds: async (ids) =>
          (await r.markets.findByIds(ids)).map((market) => {
            const row = stored.get(market.id) ?? market;
            stored.set(market.id, row);
            return row;
          }),
      },
    }),
  });
}
