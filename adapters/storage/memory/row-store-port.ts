/**
 * A key, such as `accounts/wallet:0x…`, and the JSON of its row. Keys are compared byte by byte: letter case, accents and
 * spaces count. `null`: the row was removed.
 */
export type StoredRow = readonly [key: string, row: string | null];

/**
 * Where a memory storage keeps its rows: any store of texts by key, such as a file. One process at a time uses
 * a store, because the others would not see its writes. While its database cannot be reached, `load` and `write`
 * reject.
 */
export interface RowStore {
  /**
   * All rows by key. From then on this process is the only one that writes, so `load` refuses when another one
   * has the store, or makes the writes of the other one fail. A write of the other one that fulfils although `load` has
   * begun is in the rows that `load` gives. It is called again only after it has rejected.
   */
  load(): Promise<ReadonlyMap<string, string>>;
  /**
   * Stores the rows of one transaction, all or none. When it fulfils, a crash cannot take them away. When it
   * rejects, or needs more than 4 seconds, the storage does not know what is stored. It then refuses every call
   * until the process has been started again. One call is made at a time.
   */
  write(rows: readonly StoredRow[]): Promise<void>;
  close(): Promise<void>;
}
