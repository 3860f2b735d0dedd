/** Row stores in the memory of the test, each with one fault at most. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RowStore, StoredRow } from '../../../adapters/storage/memory';
import type { RowStoreUnderTest } from '../../../testing';

/** What outlives a process. */
interface Disk {
  rows: Map<string, string>;
  owner: number;
  processes: number;
  isAway: boolean;
  failsAt: number;
}

export interface RowStoreFault {
  /** Takes the rows as written before they are on the disk. */
  loses?: true;
  /** A crash leaves the rows that were written before it. */
  tears?: true;
  /** An earlier process can still write. */
  shares?: true;
  /** Removed rows stay. */
  keepsRemoved?: true;
  /** The first row of a key stays. */
  keepsFirst?: true;
  /** Without its database it takes rows for later. */
  queues?: true;
  /** Without its database it has no rows. */
  forgets?: true;
  /** Takes keys for the same that this makes equal. */
  keyOf?: (key: string) => string;
  /** Reads the rows before it is the owner. */
  readsFirst?: true;
  /** Looks at the owner before it stores the rows, and not when it stores them. */
  looksBefore?: true;
  /** A failure leaves the rows that were written before it. */
  stopsHalfway?: true;
  /** The later process is refused until the earlier one closes. That is no fault. */
  locks?: true;
}

export function rowStoreWith(fault: RowStoreFault): RowStoreUnderTest {
  const disk: Disk = { rows: new Map(), owner: 0, processes: 0, isAway: false, failsAt: Infinity };
  return {
    store: storeOn(disk, fault),
    another: async () => storeOn(disk, fault),
    async crash(store, rows, share) {
      if (fault.tears) await store.write(rows.slice(0, Math.floor(rows.length * share)));
      else if (share >= 0.5) await store.write(rows);
    },
    failAt: async (count) => void (disk.failsAt = count),
    cutOff: async () => void (disk.isAway = true),
    destroy: async () => undefined,
  };
}

function storeOn(disk: Disk, fault: RowStoreFault): RowStore {
  disk.processes += 1;
  const own = disk.processes;
  const waiting: StoredRow[] = [];

  function put([name, row]: StoredRow): void {
    const key = fault.keyOf?.(name) ?? name;
    if (row !== null && !(fault.keepsFirst && disk.rows.has(key))) disk.rows.set(key, row);
    if (row === null && !fault.keepsRemoved) disk.rows.delete(key);
  }

  function store(rows: readonly StoredRow[]): void {
    const { failsAt } = disk;
    disk.failsAt = Infinity;
    const fails = failsAt < rows.length;
    if (!fails || fault.stopsHalfway) rows.slice(0, failsAt).forEach(put);
    if (fails) throw new Error('the connection was lost');
  }

  return {
    async load() {
      if (disk.isAway && fault.forgets) return new Map();
      if (disk.isAway) throw new Error('the database is away');
      if (fault.locks && disk.owner !== 0) throw new Error('another process has the rows');
      const before = new Map(disk.rows);
      if (fault.readsFirst) await nextTurn();
      disk.owner = own;
      return fault.readsFirst ? before : new Map(disk.rows);
    },
    async write(rows) {
      if (disk.isAway && fault.queues) return void waiting.push(...rows);
      if (disk.isAway) throw new Error('the database is away');
      if (disk.owner !== own && !fault.shares) throw new Error('another process has the rows');
      if (fault.looksBefore) await nextTurn();
      if (fault.loses) waiting.push(...rows);
      else store(rows);
    },
    async close() {
      waiting.splice(0).forEach(put);
      if (disk.owner === own) disk.owner = 0;
    },
  };
}
