import type { Storage, Transaction } from '../../src/ports/storage';

export interface Faults {
  /** In each transaction the call with this number (from 1) fails. `null`: no call fails. */
  failAtCall: number | null;
  /** While true, a transaction that updates a market commits and then rejects. */
  loseCommits: boolean;
  onMarketWritten: () => void;
}

export class InjectedFailure extends Error {}

export function faultyStorage(storage: Storage): { storage: Storage; faults: Faults } {
  const faults: Faults = { failAtCall: null, loseCommits: false, onMarketWritten: () => undefined };
  const transaction: Storage['transaction'] = async (work) => {
    let calls = 0;
    let wroteMarket = false;
    const result = await storage.transaction((tx) => {
      calls = 0;
      return work(
        watched(tx, (repository, method) => {
          calls += 1;
          wroteMarket ||= repository === 'markets' && method === 'update';
          if (calls === faults.failAtCall) throw new InjectedFailure(`${repository}.${method}`);
        }),
      );
    });
    if (wroteMarket) faults.onMarketWritten();
    if (faults.loseCommits && wroteMarket) throw new InjectedFailure('commit');
    return result;
  };
  return { storage: { ...storage, transaction }, faults };
}

type Repository = Record<string, (...values: unknown[]) => unknown>;

function watched(tx: Transaction, onCall: (repository: string, method: string) => void): Transaction {
  const wrapped = Object.entries(tx).map(([repository, methods]) => [
    repository,
    Object.fromEntries(
      Object.entries(methods as Repository).map(([method, call]) => [
        method,
        async (...values: unknown[]) => {
          onCall(repository, method);
          return call(...values);
        },
      ]),
    ),
  ]);
  return Object.fromEntries(wrapped) as Transaction;
}
