/**
 * A key, such as `accounts/wallet:0x…`, and the JSON of its row. Keys are compared byte by byte: letter case, accents and
 * spaces count. A key has up to 1,000 bytes of UTF-8, and a row may have several megabytes. Both may contain every
 * character except U+0000 to U+001F and halves of surrogate pairs. `null`: the row was removed. The store may not have
 * the key, because a transaction can add a row and remove it.
 */
export type StoredRow = readonly [key: string, row: string | null];

/**
 * Where a memory storage keeps its rows: any store of texts by key, such as a file. Only one process at a
 * time may use a store, because other processes would not see its writes. If the store cannot reach its
 * database, `load` and `write` reject. Both also reject when the database answers with an error or a redirect, or
 * when they cannot read the answer. Rows and secrets go only to the database: a store follows no redirect. Every call
 * ends by itself, so a store that asks a service has a time limit of its own.
 */
export interface RowStore {
  /**
   * Returns all rows by key. From then on, only this process may write. If another process still uses the
   * store, `load` rejects, or makes the later writes of that process fail. If a write of that process fulfils
   * although `load` has begun, `load` returns its rows too. A write of that process that begins after `load` has
   * fulfilled fails, and no later `load` returns its rows. The storage calls `load` again only if the attempt to
   * open it has failed.
   */
  load(): Promise<ReadonlyMap<string, string>>;
  /**
   * Stores the rows of one transaction, all or none. When it fulfils, the rows survive a crash. When it
   * rejects, or takes more than 4 seconds, the storage does not know what is stored. The storage then refuses
   * every call until the process has been started again. The storage makes one call at a time.
   */
  write(rows: readonly StoredRow[]): Promise<void>;
  close(): Promise<void>;
}
