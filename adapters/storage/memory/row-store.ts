import { serviceUnavailable } from '../../../src/domain/errors';
import { startTimeLimit } from '../../../src/ports/time-limit';
import { awaitedTimers } from '../../../src/ports/timers';
import type { Database } from './database';
import { FORMAT_WITHOUT_FEES, marketsWithFees } from './row-format-1';
import type { RowStore } from './row-store-port';
import { Table, type AnyTable, type TouchedRow } from './table';

/** The version of the row encoding. It needs a new name when the fields of any kind of row change. */
const ROW_FORMAT = '2';
const FORMAT_KEY = 'format';

/** Shorter than the 5 seconds after which a storage that does not work has to refuse a call. */
const WRITE_LIMIT_MS = 4_000;

export interface RowKeeper {
  load(): Promise<void>;
  write(touched: readonly TouchedRow[]): Promise<void>;
  close(): Promise<void>;
  /** @throws SERVICE_UNAVAILABLE after a write whose outcome is not known. */
  requireWhole(): void;
}

export function createRowKeeper(db: Database, store: RowStore): RowKeeper {
  const tables = new Map<string, AnyTable>(
    Object.entries(db).flatMap(([name, member]) => (member instanceof Table ? [[name, member]] : [])),
  );
  const names = new Map([...tables].map(([name, table]) => [table, name]));
  let isNew = false;
  let failure: unknown = null;

  return {
    async load() {
      const rows = await store.load();
      isNew = rows.size === 0;
      const format = rows.get(FORMAT_KEY);
      if (!isNew && format !== ROW_FORMAT && format !== FORMAT_WITHOUT_FEES)
        throw new Error(
          `memoryStorage: the rows in the store have the format ${String(format)}, and this version of the package reads ${ROW_FORMAT}${otherCaseOf(FORMAT_KEY, [...rows.keys()])}`,
        );
      // All rows are parsed before the first is put, so that a damaged row leaves the tables empty.
      const parsed = new Map<string, { table: AnyTable; row: unknown }>();
      for (const [key, text] of rows) if (key !== FORMAT_KEY) parsed.set(key, rowOf(key, text));
      if (format === FORMAT_WITHOUT_FEES) {
        const markets = marketsWithFees([...parsed].map(([key, { row }]) => ({ key, row })));
        for (const { key, row } of markets) parsed.set(key, { table: tableOf(key), row });
        // The rows and their format are one write, so a crash leaves all of them in one format.
        const written = markets.map(({ key, row }) => [key, encodeRow(row)] as const);
        await store.write([[FORMAT_KEY, ROW_FORMAT], ...written]);
      }
      for (const { table, row } of parsed.values()) table.load(row as never);
    },

    async write(touched) {
      if (touched.length === 0) return;
      const rows = new Map<string, string | null>(isNew ? [[FORMAT_KEY, ROW_FORMAT]] : []);
      for (const { table, key } of touched) {
        const row = table.get(key as never);
        rows.set(`${names.get(table) ?? ''}/${String(key)}`, row === undefined ? null : encodeRow(row));
      }
      const limit = startTimeLimit(awaitedTimers, WRITE_LIMIT_MS);
      try {
        await limit.race(store.write([...rows]));
        isNew = false;
      } catch (error) {
        // The store may have the rows, although the tables in memory do not. A further write could overwrite
        // them, so `requireWhole` refuses all later calls.
        failure = error;
        throw unknownOutcome(error);
      } finally {
        limit.end();
      }
    },

    close: () => store.close(),
    requireWhole() {
      if (failure !== null) throw unknownOutcome(failure);
    },
  };

  function rowOf(key: string, text: string): { table: AnyTable; row: unknown } {
    return { table: tableOf(key), row: decodeRow(text) };
  }

  function tableOf(key: string): AnyTable {
    const name = key.slice(0, key.indexOf('/'));
    const table = tables.get(name);
    if (table === undefined)
      throw new Error(
        `memoryStorage: no table for the stored row ${key}${otherCaseOf(name, [...tables.keys()])}`,
      );
    return table;
  }
}

/** The end of a message about a missing name, if `known` has the name in another letter case. */
function otherCaseOf(name: string, known: readonly string[]): string {
  const other = known.find((one) => one !== name && one.toLowerCase() === name.toLowerCase());
  return other === undefined
    ? ''
    : `. The store has changed the letter case of its keys (${name}, ${other}): it must keep and compare keys byte by byte`;
}

function unknownOutcome(cause: unknown): Error {
  return serviceUnavailable('A write to the row store failed, so its rows are not known: start again', cause);
}

/** JSON in which a bigint is the text `~` and its digits. A text that begins with `~` gets a second `~`. */
export function encodeRow(row: unknown): string {
  return JSON.stringify(row, (_name, value: unknown) => {
    if (typeof value === 'bigint') return `~${value}`;
    return typeof value === 'string' && value.startsWith('~') ? `~${value}` : value;
  });
}

export function decodeRow(text: string): unknown {
  return JSON.parse(text, (_name, value: unknown) => {
    if (typeof value !== 'string' || !value.startsWith('~')) return value;
    return value.startsWith('~~') ? value.slice(1) : BigInt(value.slice(1));
  });
}
