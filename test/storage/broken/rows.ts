/** Adapters that break what single rows, references and orders promise. */
import type { Storage, Transaction } from '../../../src/ports/storage';
import { altered } from './altered';

/** Money through a double, as drivers return 64-bit columns by default. */
function lossy<T>(value: T): T {
  if (typeof value === 'bigint') return BigInt(Number(value)) as T;
  if (Array.isArray(value)) return value.map(lossy) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, lossy(field)])) as T;
}

export const withLossyMoney = (storage: Storage): Storage =>
  altered(storage, {
    transaction: (tx) => ({
      accounts: { ...tx.accounts, apply: (changes, now) => tx.accounts.apply(lossy(changes), now) },
      candles: { ...tx.candles, merge: (candles) => tx.candles.merge(lossy(candles)) },
      deposits: { ...tx.deposits, insert: (deposit) => tx.deposits.insert(lossy(deposit)) },
      entries: { ...tx.entries, insert: (postings) => tx.entries.insert(lossy(postings)) },
      markets: {
        ...tx.markets,
        insert: (market) => tx.markets.insert(lossy(market)),
        update: (markets) => tx.markets.update(lossy(markets)),
        addTotals: (changes) => tx.markets.addTotals(lossy(changes)),
      },
      positions: { ...tx.positions, save: (positions) => tx.positions.save(lossy(positions)) },
      trades: { ...tx.trades, insert: (trades) => tx.trades.insert(lossy(trades)) },
    }),
  });

/** Equal volumes in the order of creation. */
export const withWrongTies = (storage: Storage): Storage =>
  altered(storage, {
    reader: (r) => ({
      markets: {
        ...r.markets,
        list: async (query) => {
          const { markets, total } = await r.markets.list({ ...query, limit: 1_000, offset: 0 });
          if (query.sort === 'volume_desc') {
            markets.sort((a, b) => (a.volume === b.volume ? a.id - b.id : a.volume < b.volume ? 1 : -1));
          }
          return { markets: markets.slice(query.offset, query.offset + query.limit), total };
        },
      },
    }),
  });

/** The right page, the wrong way round. */
export const withOldestTradesFirst = (storage: Storage): Storage =>
  altered(storage, {
    reader: (r) => ({
      trades: { ...r.trades, listByMarket: async (query) => (await r.trades.listByMarket(query)).reverse() },
    }),
  });

/** A statement whose refusal is swallowed. */
async function swallowing<T>(statement: Promise<T>, instead: T): Promise<T> {
  return statement.catch(() => instead);
}

export const withSecondSettlements = (storage: Storage): Storage =>
  altered(storage, {
    transaction: (tx) => ({
      trades: { ...tx.trades, insert: (trades) => swallowing(tx.trades.insert(trades), []) },
    }),
  });

export const withOverdrafts = (storage: Storage): Storage =>
  altered(storage, {
    transaction: (tx) => ({
      accounts: {
        ...tx.accounts,
        apply: (changes, now) => swallowing(tx.accounts.apply(changes, now), undefined),
      },
    }),
  });

export const withUncheckedPostings = (storage: Storage): Storage =>
  altered(storage, {
    transaction: (tx) => ({
      entries: { ...tx.entries, insert: (postings) => swallowing(tx.entries.insert(postings), undefined) },
    }),
  });

/** Says that the market was created when its slug was taken. */
export const withTakenSlugs = (storage: Storage): Storage =>
  altered(storage, {
    transaction: (tx) => ({
      markets: { ...tx.markets, insert: async (market) => (await tx.markets.insert(market)) || true },
    }),
  });

/** Takes due markets and leaves them due. */
export const withUnheldLeases = (storage: Storage): Storage =>
  altered(storage, {
    transaction: (tx) => ({
      markets: {
        ...tx.markets,
        leaseDue: async (query) => {
          const taken = await tx.markets.leaseDue(query);
          await tx.markets.update(taken.map((market) => ({ ...market, dueAt: query.now })));
          return taken;
        },
      },
    }),
  });

/** Keeps the first record of a key and says nothing, so that the second caller trades as well. */
export function withDeafIdempotency(storage: Storage): Storage {
  const insert = (tx: Transaction): Transaction['idempotency']['insert'] => {
    return async (records) => {
      for (const record of records) {
        if ((await tx.idempotency.find([record])).length === 0) await tx.idempotency.insert([record]);
      }
    };
  };
  return altered(storage, {
    transaction: (tx) => ({ idempotency: { ...tx.idempotency, find: async () => [], insert: insert(tx) } }),
  });
}

/** Numbers with gaps, as a database's own sequence gives them. */
export const withGapsInEvents = (storage: Storage): Storage =>
  altered(storage, {
    reader: (r) => ({
      events: {
        head: async () => 2 * (await r.events.head()),
        after: async (seq, limit) =>
          (await r.events.after(Math.floor(seq / 2), limit)).map((event) => ({
            ...event,
            seq: 2 * (event.seq ?? 0),
          })),
      },
    }),
  });

/** Grades its own work. */
export const withBlindAudit = (storage: Storage): Storage =>
  altered(storage, {
    reader: (r) => ({
      audit: { ...r.audit, run: async () => ({ ...(await r.audit.run()), differences: [] }) },
    }),
  });

/** Compares every balance, and believes what is reserved. */
export const withUnauditedReservations = (storage: Storage): Storage =>
  altered(storage, {
    reader: (r) => ({
      audit: {
        ...r.audit,
        run: async () => {
          const findings = await r.audit.run();
          const seen = findings.differences.filter(({ subject }) => !subject.endsWith(' reserved'));
          return { ...findings, differences: seen };
        },
      },
    }),
  });

/** Takes a reservation for given back as soon as the withdrawal has been sent. */
export const withEarlyRelease = (storage: Storage): Storage =>
  altered(storage, {
    transaction: (tx) => ({
      withdrawals: {
        ...tx.withdrawals,
        update: async (withdrawal) => {
          const before = await tx.withdrawals.lock(withdrawal.id);
          await tx.withdrawals.update(withdrawal);
          if (before?.status !== 'pending' || withdrawal.status !== 'sent') return;
          const release = { id: `wallet:${before.wallet}` as const, balance: 0n, reserved: -before.amount };
          await tx.accounts.apply([release], withdrawal.updatedAt);
        },
      },
    }),
  });
