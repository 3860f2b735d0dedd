/** What the checks of row stores share. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RowStore, StoredRow } from 'express-prediction-market/storage/memory';
import type { Check } from '../conformance/check';
import { shown } from '../conformance/failure';
import type { RowStoreSentence } from './contract';
import type { RowStoreContext } from './suite';

export type RowStoreTest = RowStoreContext & { check: Check<RowStoreSentence> };

export const KILLS = 'does what happens to the locks of a process that is killed';

export const row = (key: string, value: unknown): StoredRow => [key, JSON.stringify(value)];

export const listOf = (rows: ReadonlyMap<string, string>): StoredRow[] =>
  [...rows].sort(([one], [other]) => (one < other ? -1 : 1));

/**
 * Opens the rows as a later process does. If the store refuses the later process, the function ends the process of
 * `store` and tries again. It uses `kill` if possible, because `close` might store what `write` has not stored.
 */
export async function later({ store, another, kill }: Pick<RowStoreTest, 'store' | 'another' | 'kill'>) {
  const next = await another();
  const rows = await next.load().catch(async () => {
    await (kill ? kill(store) : store.close());
    return next.load();
  });
  return { store: next, rows };
}

/** The result of `work`. If it rejects, the report says what was done. */
export const done = <T>(check: Check<RowStoreSentence>, what: string, work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => check.fail(`${what}: ${shown(error)}`));

export const settles = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );

export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await nextTurn();
}

/** The rows of `store.load()`; `null` if it rejects. */
export const loaded = (store: RowStore): Promise<ReadonlyMap<string, string> | null> =>
  store.load().catch(() => null);
