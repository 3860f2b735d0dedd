import { constants, deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Rows } from './table';

/** At least this many of the newest rows stay uncompressed, because most reads want new rows. */
const NEWEST = 1_024;
/** How many rows are compressed together in a block, which is unpacked as a whole. */
const BLOCK_SIZE = 128;

/**
 * Rows of JSON values, of which all but the newest are compressed in blocks. For a table whose rows are long
 * and alike, written once, and read in the order in which they were written.
 */
export class CompressedRows<Key, Row> implements Rows<Key, Row> {
  readonly #newest = new Map<Key, Row>();
  /** The block of each compressed row. A block is freed with its last key. */
  readonly #blocks = new Map<Key, Uint8Array>();
  /** The block that was read last. The next read is probably from the same block. */
  #unpacked: { block: Uint8Array; rows: Map<Key, Row> } | null = null;

  get size(): number {
    return this.#newest.size + this.#blocks.size;
  }

  has(key: Key): boolean {
    return this.#newest.has(key) || this.#blocks.has(key);
  }

  get(key: Key): Row | undefined {
    const block = this.#blocks.get(key);
    return block === undefined ? this.#newest.get(key) : this.#rowsOf(block).get(key);
  }

  set(key: Key, row: Row): void {
    this.#blocks.delete(key);
    this.#newest.set(key, row);
    if (this.#newest.size >= NEWEST + BLOCK_SIZE) this.#compressOldest();
  }

  delete(key: Key): void {
    this.#newest.delete(key);
    this.#blocks.delete(key);
  }

  *values(): Generator<Row, void, undefined> {
    for (const block of new Set(this.#blocks.values()))
      for (const [key, row] of this.#rowsOf(block)) if (this.#blocks.get(key) === block) yield row;
    yield* this.#newest.values();
  }

  #compressOldest(): void {
    const rows: [Key, Row][] = [];
    for (const entry of this.#newest) {
      if (rows.length >= BLOCK_SIZE) break;
      rows.push(entry);
    }
    const packed = deflateRawSync(JSON.stringify(rows), { level: constants.Z_BEST_SPEED });
    // `deflateRawSync` returns a part of a larger buffer, which would stay in memory as well. So the bytes
    // are copied.
    const block = new Uint8Array(packed);
    for (const [key] of rows) {
      this.#newest.delete(key);
      this.#blocks.set(key, block);
    }
  }

  #rowsOf(block: Uint8Array): Map<Key, Row> {
    if (this.#unpacked?.block !== block) {
      const rows = new Map(JSON.parse(inflateRawSync(block).toString()) as [Key, Row][]);
      this.#unpacked = { block, rows };
    }
    return this.#unpacked.rows;
  }
}
