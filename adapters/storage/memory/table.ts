import { OrderedSet } from './ordered-set';

/** A table of any rows, for code that treats all tables alike. */
export interface AnyTable {
  get(key: never): unknown;
  load(row: never): void;
}

/** A row that the current transaction has put or removed. A row that was written twice is noted twice. */
export interface TouchedRow {
  table: AnyTable;
  key: unknown;
}

/**
 * How to undo the writes of the current transaction. There is one writer at a time, so there is one log. With
 * `notesRows`, the log also lists the changed rows for a row store.
 */
export class UndoLog {
  #steps: (() => void)[] = [];
  #touched: TouchedRow[] = [];
  readonly #notesRows: boolean;

  constructor(notesRows = false) {
    this.#notesRows = notesRows;
  }

  /** The rows that the current transaction has written. Empty unless the log was made with `notesRows`. */
  get touched(): readonly TouchedRow[] {
    return this.#touched;
  }

  push(step: () => void, table: AnyTable, key: unknown): void {
    this.#steps.push(step);
    if (this.#notesRows) this.#touched.push({ table, key });
  }

  commit(): void {
    this.#steps = [];
    this.#touched = [];
  }

  rollback(): void {
    const steps = this.#steps;
    this.#steps = [];
    this.#touched = [];
    for (let index = steps.length - 1; index >= 0; index -= 1) steps[index]?.();
  }
}

interface Index<Row> {
  replace(before: Row | undefined, after: Row | undefined): void;
}

/** Where a table keeps its rows: in a `Map`, or in a form that takes less memory. */
export interface Rows<Key, Row> {
  readonly size: number;
  get(key: Key): Row | undefined;
  has(key: Key): boolean;
  set(key: Key, row: Row): void;
  delete(key: Key): void;
  values(): IterableIterator<Row>;
}

/** Rows by key. A stored row is never changed, only replaced, so undoing puts the old row back. */
export class Table<Key, Row> {
  readonly #rows: Rows<Key, Row>;
  readonly #undo: UndoLog;
  readonly #keyOf: (row: Row) => Key;
  readonly #indexes: readonly Index<Row>[];

  constructor(
    undo: UndoLog,
    keyOf: (row: Row) => Key,
    indexes: readonly Index<Row>[] = [],
    rows: Rows<Key, Row> = new Map<Key, Row>(),
  ) {
    this.#undo = undo;
    this.#keyOf = keyOf;
    this.#indexes = indexes;
    this.#rows = rows;
  }

  get size(): number {
    return this.#rows.size;
  }

  get(key: Key): Row | undefined {
    return this.#rows.get(key);
  }

  has(key: Key): boolean {
    return this.#rows.has(key);
  }

  /** All rows, in no particular order. */
  values(): IterableIterator<Row> {
    return this.#rows.values();
  }

  put(row: Row): void {
    const key = this.#keyOf(row);
    const before = this.#rows.get(key);
    this.#replace(key, before, row);
    this.#undo.push(() => this.#replace(key, row, before), this, key);
  }

  remove(key: Key): void {
    const before = this.#rows.get(key);
    if (before === undefined) return;
    this.#replace(key, before, undefined);
    this.#undo.push(() => this.#replace(key, undefined, before), this, key);
  }

  /** Puts a row that was committed before the storage was opened. It cannot be undone. */
  load(row: Row): void {
    this.#replace(this.#keyOf(row), undefined, row);
  }

  #replace(key: Key, before: Row | undefined, after: Row | undefined): void {
    if (after === undefined) this.#rows.delete(key);
    else this.#rows.set(key, after);
    for (const index of this.#indexes) index.replace(before, after);
  }
}

/**
 * An index with at most one row for each value. A row with the value `null` is left out. The caller checks
 * first that the value is free.
 */
export class UniqueIndex<Row> implements Index<Row> {
  readonly #rows = new Map<string, Row>();
  readonly #valueOf: (row: Row) => string | null;

  constructor(valueOf: (row: Row) => string | null) {
    this.#valueOf = valueOf;
  }

  get(value: string): Row | undefined {
    return this.#rows.get(value);
  }

  replace(before: Row | undefined, after: Row | undefined): void {
    const old = before === undefined ? null : this.#valueOf(before);
    const value = after === undefined ? null : this.#valueOf(after);
    if (old !== null && old !== value) this.#rows.delete(old);
    if (value !== null && after !== undefined) this.#rows.set(value, after);
  }
}

type Partition = string | number;

/** An index that keeps keys in order within partitions. A row with the partition `null` is left out. */
export class OrderedIndex<Row, Key> implements Index<Row> {
  readonly #sets = new Map<Partition, OrderedSet<Key>>();
  readonly #partitionOf: (row: Row) => Partition | null;
  readonly #keyOf: (row: Row) => Key;
  readonly #compare: (a: Key, b: Key) => number;
  readonly #empty: OrderedSet<Key>;

  constructor(
    partitionOf: (row: Row) => Partition | null,
    keyOf: (row: Row) => Key,
    compare: (a: Key, b: Key) => number,
  ) {
    this.#partitionOf = partitionOf;
    this.#keyOf = keyOf;
    this.#compare = compare;
    this.#empty = new OrderedSet(compare);
  }

  partitions(): IterableIterator<Partition> {
    return this.#sets.keys();
  }

  /** The keys of a partition. The caller only reads this set. */
  in(partition: Partition): OrderedSet<Key> {
    return this.#sets.get(partition) ?? this.#empty;
  }

  replace(before: Row | undefined, after: Row | undefined): void {
    const from = before === undefined ? null : this.#partitionOf(before);
    const to = after === undefined ? null : this.#partitionOf(after);
    const oldKey = from === null ? undefined : this.#keyOf(before as Row);
    const newKey = to === null ? undefined : this.#keyOf(after as Row);
    if (from !== null && from === to && this.#compare(oldKey as Key, newKey as Key) === 0) return;
    if (from !== null) this.#delete(from, oldKey as Key);
    if (to !== null) this.#add(to, newKey as Key);
  }

  #add(partition: Partition, key: Key): void {
    let set = this.#sets.get(partition);
    if (set === undefined) {
      set = new OrderedSet(this.#compare);
      this.#sets.set(partition, set);
    }
    set.add(key);
  }

  #delete(partition: Partition, key: Key): void {
    const set = this.#sets.get(partition);
    set?.delete(key);
    if (set?.size === 0) this.#sets.delete(partition);
  }
}
