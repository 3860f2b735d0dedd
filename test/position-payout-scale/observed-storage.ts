import type { AccountChange, Market, NewTrade, Position, Posting } from '../../src/domain/types';
import type { Storage, Transaction } from '../../src/ports/storage';
import { createGate } from '../support/gate';

export interface Observed {
  commits: ('chunk' | 'trade')[];
  /** By repository and method, the most rows that one call took or returned. */
  mostRows: Record<string, number>;
  paid: number;
  mostPaidAtOnce: number;
  /** The transaction that pays a chunk calls this function and waits for its promise. */
  onChunkBegun: () => Promise<void>;
  everythingPaid: Promise<void>;
}

export function observe(storage: Storage, marketId: number): { storage: Storage; observed: Observed } {
  const { opened: everythingPaid, open: allPaid } = createGate();
  const observed: Observed = {
    commits: [],
    mostRows: {},
    paid: 0,
    mostPaidAtOnce: 0,
    onChunkBegun: async () => undefined,
    everythingPaid,
  };

  const transaction: Storage['transaction'] = async (work) => {
    let notes = freshNotes();
    const result = await storage.transaction((transaction) => {
      notes = freshNotes();
      return work(watched(transaction, marketId, observed, notes));
    });
    if (notes.positions > 0) {
      observed.commits.push('chunk');
      observed.paid += notes.positions;
      observed.mostPaidAtOnce = Math.max(observed.mostPaidAtOnce, notes.positions);
    }
    if (notes.trades > 0) observed.commits.push('trade');
    if (notes.ended) allPaid();
    return result;
  };
  return { storage: { ...storage, transaction }, observed };
}

interface Notes {
  positions: number;
  trades: number;
  ended: boolean;
}

function freshNotes(): Notes {
  return { positions: 0, trades: 0, ended: false };
}

function watched(transaction: Transaction, marketId: number, observed: Observed, notes: Notes): Transaction {
  const rows = <T extends readonly unknown[]>(name: string, list: T): T => {
    observed.mostRows[name] = Math.max(observed.mostRows[name] ?? 0, list.length);
    return list;
  };
  return {
    ...transaction,
    markets: {
      ...transaction.markets,
      update: (markets: readonly Market[]) => {
        notes.ended ||= markets.some(({ id, dueAt }) => id === marketId && dueAt === null);
        return transaction.markets.update(markets);
      },
    },
    positions: {
      ...transaction.positions,
      listUnpaid: async (id: number, limit: number) => {
        if (id === marketId) await observed.onChunkBegun();
        return rows('positions.listUnpaid', await transaction.positions.listUnpaid(id, limit));
      },
      save: (positions: readonly Position[]) => {
        notes.positions += positions.filter((position) => position.marketId === marketId).length;
        return transaction.positions.save(rows('positions.save', positions));
      },
    },
    trades: {
      ...transaction.trades,
      insert: (trades: readonly NewTrade[]) => {
        notes.trades += trades.filter((trade) => trade.marketId !== marketId).length;
        return transaction.trades.insert(rows('trades.insert', trades));
      },
    },
    accounts: {
      ...transaction.accounts,
      apply: (changes: readonly AccountChange[], now: number) =>
        transaction.accounts.apply(rows('accounts.apply', changes), now),
    },
    postings: {
      ...transaction.postings,
      insert: (postings: readonly Posting[]) =>
        transaction.postings.insert(rows('postings.insert', postings)),
    },
  };
}
