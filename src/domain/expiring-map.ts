/**
 * A map that forgets an entry one to two lifetimes (`lifetimeMs`) after the last use of the entry. The map needs no
 * timer and no scan: it keeps two generations, and forgets the whole older generation when a lifetime has passed. An
 * entry that is used moves to the newer generation.
 */
export interface ExpiringMap<Key, Value> {
  get(key: Key, now: number): Value | undefined;
  set(key: Key, now: number, value: Value): void;
  getOrCreate(key: Key, now: number, create: () => Value): Value;
  /** The number of entries in both generations. */
  size(): number;
}

export function createExpiringMap<Key, Value>(lifetimeMs: number): ExpiringMap<Key, Value> {
  let current = new Map<Key, Value>();
  let previous = new Map<Key, Value>();
  let rotatesAt: number | null = null;

  function rotateIfDue(now: number): void {
    // After the clock was set back, the planned rotation could be far ahead, and entries would pile up until
    // then. So a rotation is planned at most two lifetimes ahead.
    rotatesAt = Math.min(rotatesAt ?? now + lifetimeMs, now + 2 * lifetimeMs);
    if (now < rotatesAt) return;
    // A lifetime after the planned rotation, the newer generation is too old as well.
    previous = now >= rotatesAt + lifetimeMs ? new Map<Key, Value>() : current;
    current = new Map<Key, Value>();
    rotatesAt = now + lifetimeMs;
  }

  function get(key: Key, now: number): Value | undefined {
    rotateIfDue(now);
    const value = current.get(key);
    if (value !== undefined) return value;
    const older = previous.get(key);
    if (older === undefined) return undefined;
    previous.delete(key);
    current.set(key, older);
    return older;
  }

  function set(key: Key, now: number, value: Value): void {
    rotateIfDue(now);
    previous.delete(key);
    current.set(key, value);
  }

  return {
    get,
    set,
    getOrCreate(key, now, create) {
      const known = get(key, now);
      if (known !== undefined) return known;
      const value = create();
      set(key, now, value);
      return value;
    },
    size: () => current.size + previous.size,
  };
}
