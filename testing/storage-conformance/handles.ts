import type { Reader, Storage, Transaction } from '../../src/ports/storage';
import type { Watch } from '../conformance/watch';
import { COMPLETE, missingMembers } from './members';
import type { StorageUnderTest } from './types';

/** The ways in which a test can reach the data. */
export interface Handles {
  storage: Storage;
  /** A second handle on the same data. The first handle again if there can be only one. */
  other: () => Promise<Storage>;
  /** Opens the data again, after the earlier handles were closed or abandoned. */
  reopen: () => Promise<Storage>;
  /** Everything that the storage lacks, by name. */
  missing: () => Promise<string[]>;
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
      missing: () => missingMembers(made.storage),
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
    read: (work) => watch.call('read', () => storage.read((r) => work(repositories(r, watch)))),
    snapshot: (work, options) =>
      watch.call('snapshot', () => storage.snapshot((r) => work(repositories(r, watch)), options)),
    transaction: (work, options) =>
      watch.call('transaction', () =>
        storage.transaction((transaction) => work(repositories(transaction, watch)), options),
      ),
  };
}

/** The repositories with their calls observed. Each repository is made when it is first used. */
function repositories<T extends Reader | Transaction>(original: T, watch: Watch): T {
  return new Proxy({} as T, {
    get(_target, property): unknown {
      const repository: unknown = Reflect.get(original, property);
      const name = String(property);
      if (typeof repository !== 'object' || repository === null) throw new MissingMember(name);
      return watch.noted(name, withNamedGaps(name, repository));
    },
  });
}

/** The repository, whose missing methods are named when they are called. */
function withNamedGaps<T extends object>(name: string, repository: T): T {
  return new Proxy(repository, {
    get(target, property): unknown {
      const member: unknown = Reflect.get(target, property);
      if (member !== undefined) return member;
      return () => {
        throw new MissingMember(`${name}.${String(property)}`);
      };
    },
  });
}

/** What a storage lacks. One test lists all of it, and is named here, so that the others need not be read. */
class MissingMember extends Error {
  override readonly name = 'MissingMember';

  constructor(member: string) {
    super(`the storage has no ${member}; the test "${COMPLETE}" lists all that is missing`);
  }
}
