/** Row stores in the memory of the test, each with one fault at most. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RowStore, StoredRow } from '../../../adapters/storage/memory';
import type { RowStoreUnderTest } from '../../../testing';

/** The data that stays when a process ends. */
interface Disk {
  rows: Map<string, string>;
  removed: Set<string>;
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
  /** A `write` of an earlier owner rejects, but its rows are stored. */
  keepsStale?: true;
  /** When an earlier owner closes its store, the present owner is no longer the owner. */
  endsOwner?: true;
  /** Stores the rows of one `write` in several transactions, each of this number of rows. */
  parts?: number;
  /** Removes rows by a transaction of its own, after the one that puts rows. */
  removesAfter?: true;
  /** `write` rejects when it removes a key that is not stored. */
  needsKey?: true;
  /** `write` rejects a row that is already stored with the same text. */
  needsChange?: true;
  /** A key that was removed cannot be written again. */
  buries?: true;
  /** `load` rejects if this pattern matches the text of the stored keys and rows. */
  cannotRead?: RegExp;
  /** `write` rejects if this pattern matches a key with its row. */
  cannotStore?: RegExp;
  /** Changes a row when it stores or reads it. */
  rowOf?: (row: string) => string;
  /** No fault: `load` of a second process rejects until the first process closes its store. */
  locks?: true;
}

/** Declares the hooks about a service absent, because the stores of this file ask none. */
export const NO_SERVICE = { failWith: false, redirect: false, garble: false, silence: false } as const;

export function rowStoreWith(fault: RowStoreFault): RowStoreUnderTest {
  const disk: Disk = {
    rows: new Map(),
    removed: new Set(),
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
      const left = fault.tears
        ? rows.slice(0, rows.length * share)
        : partOf(fault, rows, rows.length * share);
      const isWhole = left.length === 0 && share >= 0.5;
      await store.write(isWhole ? rows : left);
    },
    kill: async () => void (disk.owner = 0),
    failAt: async (count) => void (disk.failsAt = count),
    cutOff: async () => void (disk.isAway = true),
    damage: async () => void (disk.isDamaged = true),
    ...NO_SERVICE,
    destroy: async () => undefined,
  };
}

/** What is stored of the rows when a failure comes after `count` of them. */
function partOf(
  { stopsHalfway, parts, removesAfter }: RowStoreFault,
  rows: readonly StoredRow[],
  count: number,
): readonly StoredRow[] {
  if (stopsHalfway) return rows.slice(0, count);
  if (parts !== undefined) return rows.slice(0, count - (count % parts));
  const put = rows.filter(([, row]) => row !== null);
  return removesAfter && count >= put.length ? put : [];
}

function storeOn(disk: Disk, fault: RowStoreFault): RowStore {
  disk.processes += 1;
  const own = disk.processes;
  const waiting: StoredRow[] = [];

  function put([name, row]: StoredRow): void {
    const key = fault.keyOf?.(name) ?? name;
    const isRefused = fault.buries ? disk.removed.has(key) : fault.keepsFirst && disk.rows.has(key);
    if (row !== null && !isRefused) disk.rows.set(key, fault.rowOf?.(row) ?? row);
    if (row !== null) return;
    disk.removed.add(key);
    if (!fault.keepsRemoved) disk.rows.delete(key);
  }

  function store(rows: readonly StoredRow[]): void {
    const { failsAt } = disk;
    disk.failsAt = Infinity;
    const fails = failsAt < rows.length;
    (fails ? partOf(fault, rows, failsAt) : rows).forEach(put);
    if (fails) throw new Error('the connection was lost');
  }

  function requireStorable(rows: readonly StoredRow[]): void {
    for (const [key, row] of rows) {
      const before = disk.rows.get(key);
      if (fault.needsKey && row === null && before === undefined) throw new Error('404 Not Found');
      if (fault.needsChange && row !== null && row === before) throw new Error('0 rows have changed');
      if (fault.cannotStore?.test(`${key}${row}`)) throw new Error('Incorrect string value');
    }
  }

  return {
    async load() {
      if (disk.isAway && fault.forgets) return new Map();
      if (disk.isAway) throw new Error('the database is away');
      if (disk.isDamaged) throw new Error('the rows are damaged');
      if (fault.cannotRead?.test([...disk.rows].flat().join(''))) throw new Error('the line cannot be read');
      const before = new Map(disk.rows);
      for (let turn = 0; fault.readsFirst && turn < 4; turn += 1) await nextTurn();
      if (fault.locks && disk.owner !== 0) throw new Error('another process has the rows');
      disk.owner = own;
      return fault.readsFirst ? before : new Map(disk.rows);
    },
    async write(rows) {
      if (disk.isAway && fault.queues) return void waiting.push(...rows);
      if (disk.isAway) throw new Error('the database is away');
      if (disk.owner !== own && fault.keepsStale) rows.forEach(put);
      if (disk.owner !== own && !fault.shares) throw new Error('another process has the rows');
      requireStorable(rows);
      if (fault.looksBefore) await nextTurn();
      if (fault.loses) waiting.push(...rows);
      else store(rows);
    },
    async close() {
      waiting.splice(0).forEach(put);
      if (disk.owner === own || fault.endsOwner) disk.owner = 0;
    },
  };
}
