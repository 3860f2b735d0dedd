import type { AuditDifference, Storage, Transaction } from '../../../src/ports/storage';
import { altered } from './altered';

/** A double loses the last digits of large amounts. */
function lossy<T>(value: T): T {
  if (typeof value === 'bigint') return BigInt(Number(value)) as T;
  if (Array.isArray(value)) return value.map(lossy) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, lossy(field)])) as T;
}

export const withLossyMoney = (storage: Storage): Storage =>
  altered(storage, {
    transaction: (transaction) => ({
      accounts: {
        ...transaction.accounts,
        apply: (changes, now) => transaction.accounts.apply(lossy(changes), now),
      },
      candles: { ...transaction.candles, merge: (candles) => transaction.candles.merge(lossy(candles)) },
      deposits: { ...transaction.deposits, insert: (deposit) => transaction.deposits.insert(lossy(deposit)) },
      postings: {
        ...transaction.postings,
        insert: (postings) => transaction.postings.insert(lossy(postings)),
      },
      markets: {
        ...transaction.markets,
        insert: (market) => transaction.markets.insert(lossy(market)),
        update: (markets) => transaction.markets.update(lossy(markets)),
        addTotals: (changes) => transaction.markets.addTotals(lossy(changes)),
      },
      positions: {
        ...transaction.positions,
        save: (positions) => transaction.positions.save(lossy(positions)),
      },
      trades: { ...transaction.trades, insert: (trades) => transaction.trades.insert(lossy(trades)) },
    }),
  });

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

export const withFeesOfThePage = (storage: Storage): Storage =>
  altered(storage, {
    reader: (r) => ({
      markets: {
        ...r.markets,
        listByCreator: async (query) => {
          const created = await r.markets.listByCreator(query);
          const fees = created.markets.reduce((sum, { creatorFees }) => sum + creatorFees, 0n);
          return { ...created, fees };
        },
      },
    }),
  });

export const withoutCreatorFees = (storage: Storage): Storage =>
  altered(storage, {
    transaction: (transaction) => ({
      markets: {
        ...transaction.markets,
        update: (markets) =>
          transaction.markets.update(markets.map((market) => ({ ...market, creatorFees: 0n }))),
      },
    }),
  });

/** Misses markets past their resolve date that no job has closed yet. */
export const withStoredStatuses = (storage: Storage): Storage =>
  altered(storage, {
    reader: (r) => ({
      markets: {
        ...r.markets,
        list: async (query) => {
          if (query.status !== 'resolving') return r.markets.list(query);
          const { markets } = await r.markets.list({ ...query, limit: 1_000, offset: 0 });
          const stored = markets.filter(({ status }) => status === 'resolving');
          return { markets: stored.slice(query.offset, query.offset + query.limit), total: stored.length };
        },
      },
    }),
  });

export const withOldestTradesFirst = (storage: Storage): Storage =>
  altered(storage, {
    reader: (r) => ({
      trades: { ...r.trades, listByMarket: async (query) => (await r.trades.listByMarket(query)).reverse() },
    }),
  });

export const withUndatedDeposits = (storage: Storage): Storage =>
  altered(storage, {
    reader: (r) => ({
      deposits: {
        ...r.deposits,
        list: async ({ wallet, limit, offset }) => {
          const all = await r.deposits.list({ wallet, limit: 1_000, offset: 0 });
          all.sort((a, b) => (a.reference < b.reference ? 1 : -1));
          return all.slice(offset, offset + limit);
        },
      },
    }),
  });

async function swallowing<T>(statement: Promise<T>, instead: T): Promise<T> {
  return statement.catch(() => instead);
}

export const withSecondSettlements = (storage: Storage): Storage =>
  altered(storage, {
    transaction: (transaction) => ({
      trades: {
        ...transaction.trades,
        insert: (trades) => swallowing(transaction.trades.insert(trades), []),
      },
    }),
  });

export const withOverdrafts = (storage: Storage): Storage =>
  altered(storage, {
    transaction: (transaction) => ({
      accounts: {
        ...transaction.accounts,
        apply: (changes, now) => swallowing(transaction.accounts.apply(changes, now), undefined),
      },
    }),
  });

export const withUncheckedPostings = (storage: Storage): Storage =>
  altered(storage, {
    transaction: (transaction) => ({
      postings: {
        ...transaction.postings,
        insert: (postings) => swallowing(transaction.postings.insert(postings), undefined),
      },
    }),
  });

export const withTakenSlugs = (storage: Storage): Storage =>
  altered(storage, {
    transaction: (transaction) => ({
      markets: {
        ...transaction.markets,
        insert: async (market) => (await transaction.markets.insert(market)) || true,
      },
    }),
  });

export const withUnheldLeases = (storage: Storage): Storage =>
  altered(storage, {
    transaction: (transaction) => ({
      markets: {
        ...transaction.markets,
        leaseDue: async (query) => {
          const taken = await transaction.markets.leaseDue(query);
          await transaction.markets.update(taken.map((market) => ({ ...market, dueAt: query.now })));
          return taken;
        },
      },
    }),
  });

const LONGEST_MS = 5 * 60_000;

/** Refuses a lease while its stored end is more than five minutes ahead, for example after a wrong clock. */
export const withLastingLeases = (storage: Storage): Storage => {
  const ends = new Map<string, number>();
  return altered(storage, {
    transaction: (transaction) => ({
      leases: {
        ...transaction.leases,
        async acquire(lease) {
          const end = ends.get(lease.name) ?? 0;
          if (end > lease.now + LONGEST_MS) return null;
          ends.set(lease.name, lease.until);
          return transaction.leases.acquire(lease);
        },
      },
    }),
  });
};

export const withLastingPaymentLeases = (storage: Storage): Storage => {
  const strays = new Set<number>();
  return altered(storage, {
    transaction: (transaction) => ({
      payments: {
        ...transaction.payments,
        async insert(payment) {
          const claimed = await transaction.payments.insert(payment);
          if (claimed !== null && payment.leaseUntil > payment.createdAt + LONGEST_MS) strays.add(claimed.id);
          return claimed;
        },
        async leaseDue(query) {
          const taken = await transaction.payments.leaseDue(query);
          return taken.filter(({ id }) => !strays.has(id));
        },
      },
    }),
  });
};

/** Keeps the first record of a key and reports no error, so the second caller trades too. */
export function withDeafIdempotency(storage: Storage): Storage {
  const insert = (transaction: Transaction): Transaction['idempotency']['insert'] => {
    return async (records) => {
      for (const record of records) {
        if ((await transaction.idempotency.find([record])).length === 0)
          await transaction.idempotency.insert([record]);
      }
    };
  };
  return altered(storage, {
    transaction: (transaction) => ({
      idempotency: { ...transaction.idempotency, find: async () => [], insert: insert(transaction) },
    }),
  });
}

export const withFalseEventNumbering = (storage: Storage): Storage => ({
  ...storage,
  eventNumbering: storage.eventNumbering === 'append' ? 'relay' : 'append',
});

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

export const withReplacedRounds = (storage: Storage): Storage =>
  altered(storage, {
    transaction: (transaction) => ({
      resolutions: {
        ...transaction.resolutions,
        insertRound: async (round) => {
          const rounds = await transaction.resolutions.listRounds({ marketId: round.marketId, limit: 1_000 });
          const isThere = rounds.some((other) => other.round === round.round);
          await transaction.resolutions[isThere ? 'updateRound' : 'insertRound'](round);
        },
      },
    }),
  });

export const withOneQueueOfDueMarkets = (storage: Storage): Storage =>
  altered(storage, {
    transaction: (transaction) => ({
      markets: {
        ...transaction.markets,
        leaseDue: async (query) => {
          const rounds = await transaction.markets.leaseDue({ ...query, awaitsOracle: true });
          const limit = query.limit - rounds.length;
          return [
            ...rounds,
            ...(await transaction.markets.leaseDue({ ...query, awaitsOracle: false, limit })),
          ];
        },
      },
    }),
  });

export const withBlindAudit = (storage: Storage): Storage =>
  altered(storage, {
    reader: (r) => ({
      audit: { ...r.audit, run: async () => ({ ...(await r.audit.run()), differences: [] }) },
    }),
  });

const withOverlooked = (storage: Storage, overlooks: (difference: AuditDifference) => boolean): Storage =>
  altered(storage, {
    reader: (r) => ({
      audit: {
        ...r.audit,
        run: async () => {
          const findings = await r.audit.run();
          return { ...findings, differences: findings.differences.filter((found) => !overlooks(found)) };
        },
      },
    }),
  });

export const withUnauditedReservations = (storage: Storage): Storage =>
  withOverlooked(storage, ({ subject }) => subject.endsWith(' reserved'));

export const withUnauditedOrphans = (storage: Storage): Storage =>
  withOverlooked(storage, ({ kind, stored }) => kind === 'posting' && stored === '0');

export const withUnauditedAccounts = (storage: Storage): Storage =>
  withOverlooked(
    storage,
    ({ kind, subject }) => kind === 'posting' && / (wallet:0x[0-9a-f]{40}|treasury)$/.test(subject),
  );

export const withEarlyRelease = (storage: Storage): Storage =>
  altered(storage, {
    transaction: (transaction) => ({
      withdrawals: {
        ...transaction.withdrawals,
        update: async (withdrawal) => {
          const before = await transaction.withdrawals.lock(withdrawal.id);
          await transaction.withdrawals.update(withdrawal);
          if (before?.status !== 'pending' || withdrawal.status !== 'sent') return;
          const release = { id: `wallet:${before.wallet}` as const, balance: 0n, reserved: -before.amount };
          await transaction.accounts.apply([release], withdrawal.updatedAt);
        },
      },
    }),
  });

export const withoutSearch = (storage: Storage): Storage =>
  altered(storage, {
    reader: ({ markets }) => ({
      markets: { ...markets, list: ({ words: _words, ...query }) => markets.list(query) },
    }),
  });

export const withOneWordOnly = (storage: Storage): Storage =>
  altered(storage, {
    reader: ({ markets }) => ({
      markets: { ...markets, list: (query) => markets.list({ ...query, words: query.words?.slice(0, 1) }) },
    }),
  });
