/** Records the calls during the payout of one market, and the order of commits. */
import type { AccountChange, Market, NewTrade, Position, Posting } from '../../src/domain/types';
import type { Storage, Transaction } from '../../src/ports/storage';
import { createGate } from '../support/gate';

export interface Observed {
  /** In order: a chunk of payouts on the market, or a trade elsewhere. */
  commits: ('chunk' | 'trade')[];
  /** The most rows that one call took or returned, by repository and method. */
  mostRows: Record<string, number>;
  /** How many positions committed transactions have paid. */
  paid: number;
  /** The most positions that one committed transaction has paid. */
  mostPaidAtOnce: number;
  /** Called before a chunk, which waits for the promise. */
  onChunkBegun: () => Promise<void>;
  /** Resolves when the market has no unpaid position. */
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
  /** Paid positions of the market. */
  positions: number;
  /** Trades on other markets. */
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
