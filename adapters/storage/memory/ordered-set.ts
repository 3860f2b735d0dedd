/** A chunk is split at twice this size. */
const CHUNK_SIZE = 256;

/** A set of distinct keys in order, stored in chunks. Keys that compare as 0 are one key. */
export class OrderedSet<Key> {
  readonly #compare: (a: Key, b: Key) => number;
  readonly #chunks: Key[][] = [];
  #size = 0;

  constructor(compare: (a: Key, b: Key) => number) {
    this.#compare = compare;
  }

  get size(): number {
    return this.#size;
  }

  add(key: Key): void {
    const at = Math.min(this.#chunkFor(key), this.#chunks.length - 1);
    const chunk = this.#chunks[at];
    if (chunk === undefined) {
      this.#chunks.push([key]);
      this.#size = 1;
      return;
    }
    const slot = this.#slotFor(chunk, key);
    if (slot < chunk.length && this.#compare(chunk[slot] as Key, key) === 0) return;
    chunk.splice(slot, 0, key);
    this.#size += 1;
    // When the last chunk is full, only its last key moves to a new chunk. So appended keys (the usual case)
    // fill chunks completely.
    if (chunk.length >= 2 * CHUNK_SIZE) {
      const keep = at === this.#chunks.length - 1 ? 2 * CHUNK_SIZE - 1 : CHUNK_SIZE;
      this.#chunks.splice(at + 1, 0, chunk.splice(keep));
    }
  }

  delete(key: Key): void {
    const at = this.#chunkFor(key);
    const chunk = this.#chunks[at];
    if (chunk === undefined) return;
    const slot = this.#slotFor(chunk, key);
    if (slot >= chunk.length || this.#compare(chunk[slot] as Key, key) !== 0) return;
    chunk.splice(slot, 1);
    this.#size -= 1;
    if (chunk.length === 0) this.#chunks.splice(at, 1);
  }

  /**
   * The keys in ascending order, from the first key that is not below `start`. The set must not change during
   * the iteration.
   */
  *ascending(start?: Key): Generator<Key, void, undefined> {
    const first = start === undefined ? 0 : this.#chunkFor(start);
    for (let at = first; at < this.#chunks.length; at += 1) {
      const chunk = this.#chunks[at] as Key[];
      const slot = start !== undefined && at === first ? this.#slotFor(chunk, start) : 0;
      for (let index = slot; index < chunk.length; index += 1) yield chunk[index] as Key;
    }
  }

  /**
   * The keys in descending order, from the last key that is below `end`. The set must not change during the
   * iteration.
   */
  *descending(end?: Key): Generator<Key, void, undefined> {
    const last =
      end === undefined ? this.#chunks.length - 1 : Math.min(this.#chunkFor(end), this.#chunks.length - 1);
    for (let at = last; at >= 0; at -= 1) {
      const chunk = this.#chunks[at] as Key[];
      const stop = end !== undefined && at === last ? this.#slotFor(chunk, end) : chunk.length;
      for (let index = stop - 1; index >= 0; index -= 1) yield chunk[index] as Key;
    }
  }

  /** A page of keys, counted from the greatest key. Whole chunks are skipped. */
  pageFromEnd(offset: number, limit: number): Key[] {
    const page: Key[] = [];
    let skip = offset;
    for (let at = this.#chunks.length - 1; at >= 0 && page.length < limit; at -= 1) {
      const chunk = this.#chunks[at] as Key[];
      for (let index = chunk.length - 1 - skip; index >= 0 && page.length < limit; index -= 1) {
        page.push(chunk[index] as Key);
      }
      skip = Math.max(0, skip - chunk.length);
    }
    return page;
  }

  /**
   * The index of the first chunk whose greatest key is not below `key`. The number of chunks when there is no
   * such chunk.
   */
  #chunkFor(key: Key): number {
    let low = 0;
    let high = this.#chunks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const chunk = this.#chunks[middle] as Key[];
      if (this.#compare(chunk[chunk.length - 1] as Key, key) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /**
   * The index of the first key of the chunk that is not below `key`. The length of the chunk when there is
   * none.
   */
  #slotFor(chunk: Key[], key: Key): number {
    let low = 0;
    let high = chunk.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(chunk[middle] as Key, key) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
