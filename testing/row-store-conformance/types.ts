import type { RowStore, StoredRow } from 'express-prediction-market/storage/memory';
import type { ConformanceOptions } from '../conformance/runner';
import type { SilentHook } from '../conformance/silence';

/** A new, empty store. The suite loads and closes it. */
export interface RowStoreUnderTest {
  /** The store that is tested. */
  store: RowStore;
  /** A further store on the same rows, as a process that starts later makes it. It is not loaded. */
  another(): Promise<RowStore>;
  /**
   * Leaves the rows as a crash in the middle of `store.write(rows)` does, when `share` of it is done (0 to 1). For a
   * file: write, then cut off the rest. `false` if a database writes the rows by one transaction: then give `failAt`. A
   * check that needs the hook fails, unless it is declared absent by `false`.
   */
  crash: ((store: RowStore, rows: readonly StoredRow[], share: number) => Promise<void>) | false;
  /**
   * Does what the operating system or the database does when the process of `store` is killed: it frees what the
   * process has locked. `store` is not closed. For a lock with a process id: put the id of a process that has ended
   * into the lock. Only a store whose `load` rejects while another process has the rows needs the hook.
   */
  kill?: ((store: RowStore) => Promise<void>) | false;
  /**
   * The next `write` fails when it has stored `count` of its rows, as it does when the database refuses a
   * statement of its transaction, or when the disk is full. The writes have 5 and 1,202 rows. With `crash: false`, the
   * suite needs this hook. `false` if one statement stores all rows.
   */
  failAt?: ((count: number) => Promise<void>) | false;
  /**
   * Makes the database or the file of the rows unreachable, permanently: for `store` and for a further one. A check
   * that needs the hook fails, unless it is declared absent by `false`.
   */
  cutOff: (() => Promise<void>) | false;
  /**
   * Makes the stored rows unreadable, such as by other bytes at the start of the file. `false` if a database stores the
   * rows. A check that needs the hook fails, unless it is declared absent by `false`.
   */
  damage: (() => Promise<void>) | false;
  /**
   * From now on the database answers every request with this HTTP status and an error page, and does nothing, until the
   * returned function is called. `false` if the store asks nothing by HTTP.
   */
  failWith: ((status: number) => Promise<() => Promise<void>>) | false;
  /**
   * From now on the database answers every request with HTTP 307 and `Location: <address>`, and does nothing, until the
   * returned function is called. The suite has a server at that address. `false` if the store asks nothing by HTTP.
   */
  redirect: ((address: string) => Promise<() => Promise<void>>) | false;
  /**
   * From now on the database answers `nonsense(body)` in place of each body, until the returned function is called. The
   * suite makes the nonsense: a body that is cut off, empty or of another form, or with one field that is wrong or left
   * out. `false` if a driver reads the answers, or the store reads none.
   */
  garble: ((nonsense: (body: string) => string) => Promise<() => Promise<void>>) | false;
  /**
   * From now on the database accepts requests and stays silent, until the returned function is called. With the form
   * `nothing` it sends nothing and does nothing. With `halfBody` it sends its headers and half of the body, and then
   * nothing. A function without a parameter is used for `nothing` only. The store needs a time limit that is shorter
   * than that of the suite. The function returns `false` for a form that no test can make. `false` if the store waits
   * for nothing.
   */
  silence: SilentHook | false;
  /**
   * Why no test can make a write of this store fail, in one sentence, such as "one statement of an embedded database
   * stores all rows". It is needed if neither `failAt` nor `cutOff` is given: then the suite does not show that a
   * `write` rejects when the rows are not stored.
   */
  unbreakable?: string;
  /** Ends everything that the test has made. */
  destroy(): Promise<void>;
}

export interface RowStoreConformanceTarget extends ConformanceOptions {
  /** Makes a new adapter with its hooks. The suite calls it for each test. */
  create(): Promise<RowStoreUnderTest>;
}
