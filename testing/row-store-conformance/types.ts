import type { RowStore, StoredRow } from 'express-prediction-market/storage/memory';
import type { ConformanceOptions } from '../conformance/runner';

/** A new, empty store. The suite loads and closes it. */
export interface RowStoreUnderTest {
  store: RowStore;
  /** A further store on the same rows, as a process that starts later makes it. It is not loaded. */
  another(): Promise<RowStore>;
  /**
   * Leaves the rows as a crash in the middle of `store.write(rows)` does, when `share` of it is done (0 to 1). For a
   * file: write, then cut off the rest. `false` if a database writes the rows by one transaction: then give `failAt`. A
   * check that needs the hook fails, unless it is declared absent by `false`.
   */
  crash?: ((store: RowStore, rows: readonly StoredRow[], share: number) => Promise<void>) | false;
  /**
   * The next `write` fails when it has stored `count` of its rows, as it does when the database refuses a
   * statement of its transaction. With `crash: false`, the suite needs this hook. `false` if one statement
   * stores all rows.
   */
  failAt?: ((count: number) => Promise<void>) | false;
  /**
   * Makes the database of the rows unreachable, permanently: for `store` and for a further one. `false` if the rows are
   * in files of this machine. A check that needs the hook fails, unless it is declared absent by `false`.
   */
  cutOff?: (() => Promise<void>) | false;
  /**
   * Why no test can break a write of this store, in one sentence, such as "one statement of an embedded database stores
   * all rows". It is needed if `crash`, `failAt` and `cutOff` are all `false`: then the suite shows nothing of what a crash
   * or a failure leaves.
   */
  unbreakable?: string;
  destroy(): Promise<void>;
}

export interface RowStoreConformanceTarget extends ConformanceOptions {
  create(): Promise<RowStoreUnderTest>;
}
