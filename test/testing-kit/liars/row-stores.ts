/** Row stores in the memory of the test, each with one fault at most. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RowStore, StoredRow } from '../../../adapters/storage/memory';
import type { RowStoreUnderTest } from '../../../testing';

/** The data that stays when a process ends. */
interface Disk {
  rows: Map<string, string>;
  owner: number;
  processes: number;
  isAway: boolean;
  isDamaged: boolean;
  failsAt: number;
}

export interface RowStoreFault {
  /** `write` resolves before the rows are on the disk. */
  loses?: true;
  /** A crash in the middle of a `write` leaves a part of its rows. */
  tears?: true;
  /** An earlier process can still write. */
  shares?: true;
  /** Removed rows stay. */
  keepsRemoved?: true;
  /** A new row does not replace the stored row of the same key. */
  keepsFirst?: true;
  /** While the database is away, `write` keeps the rows in memory and resolves. */
  queues?: true;
  /** While the database is away, `load` returns no rows, where it has to reject. */
  forgets?: true;
  /** Changes the keys before it stores rows, so that different keys can become equal. */
  keyOf?: (key: string) => string;
  /** Reads the rows before it is the owner. */
  readsFirst?: true;
  /** Checks the owner a moment before it stores the rows. In that moment another process can become the owner. */
  looksBefore?: true;
  /** A `write` that fails leaves a part of its rows. */
  stopsHalfway?: true;
  /** No fault: `load` of a second process rejects until the first process closes its store. */
  locks?: true;
}

export function rowStoreWith(fault: RowStoreFault): RowStoreUnderTest {
  const disk: Disk = {
    rows: new Map(),
    owner: 0,
    processes: 0,
    isAway: false,
    isDamaged: false,
    failsAt: Infinity,
  };
  return {
    store: storeOn(disk, fault),
    another: async () => storeOn(disk, fault),
    async crash(store, rows, share) {
      if (fault.tears) await store.write(rows.slice(0, Math.floor(rows.length * share)));
      else if (share >= 0.5) await store.write(rows);
    },
    kill: async () => void (disk.owner = 0),
    failAt: async (count) => void (disk.failsAt = count),
    cutOff: async () => void (disk.isAway = true),
    damage: async () => void (disk.isDamaged = true),
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
      if (disk.isDamaged) throw new Error('the rows are damaged');
      const before = new Map(disk.rows);
      for (let turn = 0; fault.readsFirst && turn < 4; turn += 1) await nextTurn();
      if (fault.locks && disk.owner !== 0) throw new Error('another process has the rows');
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
