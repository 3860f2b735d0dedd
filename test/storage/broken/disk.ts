/** `soundDisk` makes handles that share one memory. Each other storage of this file has a fault. */
import { memoryStorage } from '../../../adapters/storage/memory';
import { serviceUnavailable } from '../../../src/domain/errors';
import { silentLogger } from '../../../src/ports/logger';
import type { MarketTotal, Reader, Storage, Transaction } from '../../../src/ports/storage';
import type { StorageUnderTest } from '../../../testing/storage-conformance';
import { altered } from './altered';

export type Disk = () => Promise<{
  handle(): Promise<Storage>;
  cut(): void;
  lose?(): void;
}>;

export async function soundDisk(): ReturnType<Disk> {
  const data = memoryStorage();
  await data.open({ logger: silentLogger });
  const state: Faults = { isCut: false, losesCommit: false };
  return {
    handle: async () => handleOn(data, state),
    cut: () => void (state.isCut = true),
    lose: () => void (state.losesCommit = true),
  };
}

interface Faults {
  isCut: boolean;
  losesCommit: boolean;
  totals?: MarketTotal[];
}

export function handleOn(data: Storage, state: Faults = { isCut: false, losesCommit: false }): Storage {
  const running = new Set<Promise<unknown>>();
  let closed = false;
  function track<T>(call: () => Promise<T>): Promise<T> {
    const refuse = (): boolean => closed || state.isCut;
    if (refuse()) return Promise.reject(serviceUnavailable('closed'));
    const answer = call();
    running.add(answer);
    void answer.then(
      () => running.delete(answer),
      () => running.delete(answer),
    );
    return answer;
  }
  const guard = <T extends Reader | Transaction>(original: T): T =>
    new Proxy(original, {
      get(target, property) {
        if (state.isCut) throw serviceUnavailable('away');
        return Reflect.get(target, property) as unknown;
      },
    });
  return {
    ...data,
    async close() {
      closed = true;
      await Promise.allSettled(running);
    },
    ping: () => track(() => data.ping()),
    read: (work) =>
      track(() =>
        data.read((r) =>
          work(guard({ ...r, markets: { ...r.markets, totals: async () => state.totals ?? [] } })),
        ),
      ),
    snapshot: (work, options) => track(() => data.snapshot((r) => work(guard(r)), options)),
    transaction: (work, options) =>
      track(async () => {
        const result = await data.transaction((transaction) => work(guard(transaction)), options);
        state.totals = await data.read((r) => r.markets.totals());
        if (!state.losesCommit) return result;
        state.losesCommit = false;
        throw serviceUnavailable('The answer to the commit is lost');
      }),
  };
}

export async function onDisk(make: Disk): Promise<StorageUnderTest> {
  const { handle, cut, lose } = await make();
  const storage = await handle();
  return {
    storage,
    another: handle,
    inspect: false,
    cutOff: async () => cut(),
    loseCommit: lose === undefined ? false : async () => lose(),
    destroy: () => storage.close(),
  };
}

export async function writesNothing(): ReturnType<Disk> {
  return { handle: ownMemory, cut: () => undefined };
}

export async function opensEmpty(): ReturnType<Disk> {
  let data = await ownMemory();
  return {
    async handle() {
      data = await ownMemory();
      return handleOn(data);
    },
    cut: () => undefined,
  };
}

async function ownMemory(): Promise<Storage> {
  const storage = memoryStorage();
  await storage.open({ logger: silentLogger });
  return storage;
}

export async function losesOnReopen(): ReturnType<Disk> {
  let open = 0;
  let data = await ownMemory();
  return {
    async handle() {
      if (open === 0) data = await ownMemory();
      open += 1;
      const handle = handleOn(data);
      return {
        ...handle,
        async close() {
          await handle.close();
          open -= 1;
        },
      };
    },
    cut: () => undefined,
  };
}

export async function losesTheLastWrite(): ReturnType<Disk> {
  const disk = await soundDisk();
  let open = 0;
  let opened = 0;
  let lost: { id: string; balance: bigint } | null = null;
  return {
    ...disk,
    async handle() {
      const handle = await disk.handle();
      open += 1;
      opened += 1;
      const isLater = opened > 1 && open === 1;
      const { close } = handle;
      const buffered = altered(handle, {
        reader: (r) => ({
          accounts: {
            find: async (id) => {
              const account = await r.accounts.find(id);
              const hidden = isLater && lost?.id === id ? lost.balance : 0n;
              return account && { ...account, balance: account.balance - hidden };
            },
          },
        }),
        transaction: (transaction) => ({
          accounts: {
            ...transaction.accounts,
            apply: async (changes, now) => {
              await transaction.accounts.apply(changes, now);
              const last = changes.at(-1);
              if (last !== undefined && !isLater) lost = { id: last.id, balance: last.balance };
            },
          },
        }),
      });
      return {
        ...buffered,
        async close() {
          open -= 1;
          await close();
        },
      };
    },
  };
}

const inTheHandle =
  (part: (own: Transaction, transaction: Transaction) => Partial<Transaction>): Disk =>
  async () => {
    const disk = await soundDisk();
    return {
      ...disk,
      async handle() {
        const [shared, memory] = [await disk.handle(), await ownMemory()];
        return {
          ...shared,
          transaction: (work) =>
            shared.transaction((transaction) =>
              memory.transaction((own) => work({ ...copied(transaction), ...part(own, transaction) })),
            ),
        };
      },
    };
  };

const copied = (transaction: Transaction): Transaction =>
  Object.fromEntries(
    Object.keys(transaction).map((name) => [name, Reflect.get(transaction, name) as unknown]),
  ) as never;

export const forgetsLeases = inTheHandle(({ leases }) => ({ leases }));
export const forgetsIdempotency = inTheHandle(({ idempotency }) => ({ idempotency }));
export const forgetsChallenges = inTheHandle(({ challenges }) => ({ challenges }));
export const countsIdsAnew = inTheHandle((own, transaction) => ({
  markets: { ...transaction.markets, nextId: () => own.markets.nextId() },
}));

/** Each handle caches the accounts that it reads, and forgets them only after a transaction of its own. */
export async function answersStaleReads(): ReturnType<Disk> {
  const disk = await soundDisk();
  return {
    ...disk,
    async handle() {
      const handle = await disk.handle();
      const cache = new Map<string, unknown>();
      const cached = altered(handle, {
        reader: (r) => ({
          accounts: {
            find: async (id) => {
              if (!cache.has(id)) cache.set(id, await r.accounts.find(id));
              return cache.get(id) as never;
            },
          },
        }),
      });
      return {
        ...cached,
        async transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
          const result = await handle.transaction(work);
          cache.clear();
          return result;
        },
      };
    },
  };
}

/** Rejects with an error that is not SERVICE_UNAVAILABLE while the data cannot be reached. */
export async function hasWordsOfItsOwn(): ReturnType<Disk> {
  const disk = await soundDisk();
  let isCut = false;
  const refusing = <T>(call: () => Promise<T>): Promise<T> =>
    isCut ? Promise.reject(new Error('connect ECONNREFUSED')) : call();
  return {
    async handle() {
      const handle = await disk.handle();
      return {
        ...handle,
        ping: () => refusing(() => handle.ping()),
        read: (work) => refusing(() => handle.read(work)),
        snapshot: (work) => refusing(() => handle.snapshot(work)),
        transaction: (work) => refusing(() => handle.transaction(work)),
      };
    },
    cut() {
      isCut = true;
    },
  };
}

const onTransactions =
  (transaction: (handle: Storage) => Storage['transaction']): Disk =>
  async () => {
    const disk = await soundDisk();
    return {
      ...disk,
      async handle() {
        const handle = await disk.handle();
        return { ...handle, transaction: transaction(handle) };
      },
    };
  };

const isLost = (error: unknown): boolean => /answer to the commit/.test(String(error));

export const believesLostCommits = onTransactions(
  ({ transaction }) =>
    <T>(work: (transaction: Transaction) => Promise<T>) =>
      transaction(work).catch((error: unknown) => {
        if (isLost(error)) return undefined as T;
        throw error;
      }),
);

export const repeatsLostCommits = onTransactions(
  ({ transaction }) =>
    <T>(work: (transaction: Transaction) => Promise<T>) =>
      transaction(work).catch((error: unknown) => {
        if (isLost(error)) return transaction(work);
        throw error;
      }),
);
