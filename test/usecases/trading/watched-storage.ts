import type { Storage, Transaction } from '../../../src/ports/storage';
import { createTradeQueue, type TradeQueue } from '../../../src/usecases/trading/trade-queue';
import { createWorld, wallet, type World } from './support';

/** The test changes `control` to delay transactions, to make transactions fail, or to run a transaction twice. */
export function watched(): { wrap: (storage: Storage) => Storage; control: Control } {
  const control: Control = { transactions: 0, statements: [], gate: null, fault: null, runTwice: false };
  const wrap = (storage: Storage): Storage => ({
    ...storage,
    transaction: async (work) => {
      control.transactions += 1;
      await control.gate;
      if (control.runTwice) await rolledBack(storage, work);
      return storage.transaction(async (transaction) => {
        const result = await work(logged(transaction, control));
        await control.fault?.(transaction);
        return result;
      });
    },
  });
  return { wrap, control };
}

export interface Control {
  transactions: number;
  statements: string[];
  gate: Promise<void> | null;
  fault: ((transaction: Transaction) => Promise<void>) | null;
  runTwice: boolean;
}

async function rolledBack<T>(
  storage: Storage,
  work: (transaction: Transaction) => Promise<T>,
): Promise<void> {
  const undone = new Error('undone');
  await storage
    .transaction(async (transaction) => {
      await work(transaction);
      throw undone;
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error;
    });
}

function logged(transaction: Transaction, control: Control): Transaction {
  const repositories = Object.entries(transaction).map(([name, repository]) => [
    name,
    new Proxy(repository as object, {
      get: (target, method, receiver) => {
        control.statements.push(`${name}.${String(method)}`);
        return Reflect.get(target, method, receiver) as unknown;
      },
    }),
  ]);
  return Object.fromEntries(repositories);
}

export async function watchedWorld(): Promise<{
  world: World;
  control: Control;
  queue: TradeQueue;
}> {
  const { wrap, control } = watched();
  const world = await createWorld({}, wrap);
  await world.openMarket();
  await world.openMarket();
  for (const number of [1, 2, 3]) await world.fund(wallet(number), 1000);
  control.transactions = 0;
  control.statements = [];
  return { world, control, queue: createTradeQueue(world.context) };
}

export const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
