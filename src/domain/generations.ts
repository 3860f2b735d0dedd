/**
 * A map that forgets the entries that were not used for `lifetimeMs`. The map needs no timer and no scan: it
 * keeps two generations, and forgets the whole older generation when a lifetime has passed. An entry that is
 * used moves to the newer generation. So an entry lives between one and two lifetimes after its last use.
 */
export interface Generations<Key, Value> {
  get(key: Key, now: number): Value | undefined;
  set(key: Key, now: number, value: Value): void;
  getOrCreate(key: Key, now: number, create: () => Value): Value;
  /** The number of entries in both generations. */
  size(): number;
}

export function createGenerations<Key, Value>(lifetimeMs: number): Generations<Key, Value> {
  let current = new Map<Key, Value>();
  let previous = new Map<Key, Value>();
  let turnsAt: number | null = null;

  function turn(now: number): void {
    // At a turn, the newer generation becomes the older one. If the clock was set back, the planned turn
    // could be far ahead, and entries would pile up until then. So the turn is at most two lifetimes ahead. A
    // small step back shortens the life of no entry.
    turnsAt = Math.min(turnsAt ?? now + lifetimeMs, now + 2 * lifetimeMs);
    if (now < turnsAt) return;
    // After two lifetimes without a call, the newer generation is too old as well.
    previous = now >= turnsAt + lifetimeMs ? new Map<Key, Value>() : current;
    current = new Map<Key, Value>();
    turnsAt = now + lifetimeMs;
  }

  function get(key: Key, now: number): Value | undefined {
    turn(now);
    const value = current.get(key);
    if (value !== undefined) return value;
    const older = previous.get(key);
    if (older === undefined) return undefined;
    previous.delete(key);
    current.set(key, older);
    return older;
  }

  function set(key: Key, now: number, value: Value): void {
    turn(now);
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
