/** A map of limited size. When the map is full, a new entry replaces the entry that was set longest ago. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #most: number;

  constructor(most: number) {
    super();
    this.#most = most;
  }

  override set(key: Key, value: Value): this {
    // A key that is set again becomes the newest. A plain map would leave the key at its old place.
    this.delete(key);
    super.set(key, value);
    if (this.size > this.#most) {
      const oldest = this.keys().next();
      if (oldest.done !== true) this.delete(oldest.value);
    }
    return this;
  }
}
