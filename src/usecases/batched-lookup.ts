// Imported, because the fake timers of a host's tests replace the global `setImmediate`.
import { setImmediate } from 'node:timers';

export interface BatchedLookup<Key, Value> {
  /** Resolves with `undefined` when the key has no value. Rejects when `load` rejects. */
  find(key: Key): Promise<Value | undefined>;
}

interface Batch<Key, Value> {
  keys: Set<Key>;
  found: Promise<ReadonlyMap<Key, Value>>;
}

/**
 * All look-ups of one turn of the event loop share one call of `load`. Nothing is cached: a look-up sees only
 * data that were loaded after the look-up began.
 */
export function createBatchedLookup<Key, Value>(
  load: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
): BatchedLookup<Key, Value> {
  let open: Batch<Key, Value> | null = null;

  function openBatch(): Batch<Key, Value> {
    const keys = new Set<Key>();
    const found = new Promise<ReadonlyMap<Key, Value>>((resolve, reject) => {
      // `setImmediate` delays the load, so that requests that have arrived together share one load.
      setImmediate(() => {
        open = null;
        load([...keys]).then(resolve, reject);
      });
    });
    return { keys, found };
  }

  return {
    find: async (key) => {
      open ??= openBatch();
      open.keys.add(key);
      const found = await open.found;
      return found.get(key);
    },
  };
}
