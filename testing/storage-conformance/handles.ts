import type { Reader, Storage, Transaction } from '../../src/ports/storage';
import { ContractIncomplete } from '../conformance/failure';
import type { Watch } from '../conformance/watch';
import { STORAGE_CONTRACT } from './contract';
import { missingMethod, type Access } from './members';
import type { StorageUnderTest } from './types';

/** The ways in which a test can reach the data. */
export interface Handles {
  storage: Storage;
  /** A second handle on the same data. The first handle again if there can be only one. */
  other: () => Promise<Storage>;
  /** Opens the data again, after the earlier handles were closed or abandoned. */
  reopen: () => Promise<Storage>;
}

/** Makes handles whose calls are observed. The handles that a test has opened are closed after the test. */
export function createHandles(
  made: StorageUnderTest,
  watch: Watch,
): { handles: Handles; closeAll(): Promise<void> } {
  const opened: Storage[] = [];
  const storage = watched(made.storage, watch);
  let second: Promise<Storage> | null = null;

  async function open(make: () => Promise<Storage>): Promise<Storage> {
    const handle = await make();
    opened.push(handle);
    return watched(handle, watch);
  }

  return {
    handles: {
      storage,
      other() {
        const { another } = made;
        second ??= another ? open(another) : Promise.resolve(storage);
        return second;
      },
      reopen() {
        const again = made.reopen ?? made.another;
        if (!again) throw new Error('the data cannot be opened again');
        return open(again);
      },
    },
    async closeAll() {
      await Promise.all(opened.map((handle) => handle.close()));
    },
  };
}

function watched(storage: Storage, watch: Watch): Storage {
  const { open, close, ping } = watch.noted('storage', storage);
  return {
    name: storage.name,
    eventNumbering: storage.eventNumbering,
    open,
    close,
    ping,
    read: (work) =>
      watch.call('read', () =>
        storage.read((r) => watch.inside(() => work(repositories(r, watch, 'reader')))),
      ),
    snapshot: (work, options) =>
      watch.call('snapshot', () =>
        storage.snapshot((r) => watch.inside(() => work(repositories(r, watch, 'reader'))), options),
      ),
    transaction: (work, options) =>
      watch.call('transaction', () =>
        storage.transaction(
          (transaction) => watch.inside(() => work(repositories(transaction, watch, 'transaction'))),
          options,
        ),
      ),
  };
}

/** The repositories with their calls observed. */
function repositories<T extends Reader | Transaction>(original: T, watch: Watch, access: Access): T {
  return new Proxy({} as T, {
    get(_target, property): unknown {
      const name = String(property);
      const repository: unknown = Reflect.get(original, property);
      // If the repository is missing, all of its methods are missing. Each of them is reported when a test
      // calls it.
      const found = typeof repository === 'object' && repository !== null ? repository : {};
      return watch.noted(name, found, (method) => {
        const fault = missingMethod(access, name, method);
        return fault === null ? null : watch.report(ContractIncomplete.first(STORAGE_CONTRACT, fault));
      });
    },
  });
}
