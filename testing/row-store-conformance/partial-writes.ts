/** Checks that a crash or a failure in the middle of a write leaves all of its rows or none. */
import type { RowStore, StoredRow } from 'express-prediction-market/storage/memory';
import { done, later, row, settles, type RowStoreTest } from './rows';
import type { RowStoreSuite } from './suite';

/** So many rows that a careless store writes them in several parts. */
const MANY = 1_200;

export function partialWriteTests({ test }: RowStoreSuite): void {
  const crashed = 'that a crash has cut off';
  test(`has all rows or none of a write ${crashed}`, 'whole', (t) =>
    crashTest(t, 3, [0, 0.2, 0.4, 0.6, 0.8, 0.99]),
  );
  test(`has all rows or none of a write of many rows ${crashed}`, 'whole', (t) =>
    crashTest(t, MANY, [0.3, 0.6, 0.99]),
  );
  test('has all rows or none of a write that has failed', ['whole', 'kept'], (t) =>
    failTest(t, 3, [0, 1, 2, 4]),
  );
  test('has all rows or none of a write of many rows that has failed', ['whole', 'kept'], (t) =>
    failTest(t, MANY, [MANY / 2, MANY + 1]),
  );
}

/** The rows of a version: `size` rows that each version has, and one that only this version has. */
function rowsOf(size: number, version: string): StoredRow[] {
  const each = Array.from({ length: size }, (_, index) => row(`each/${index}`, version));
  return [...each, row(`only/${version}`, version)];
}

/** A write that puts `size + 1` rows, and then removes one. */
const changesTo = (size: number, next: string, before: string): StoredRow[] => [
  ...rowsOf(size, next),
  [`only/${before}`, null],
];

async function crashTest(t: RowStoreTest, size: number, shares: readonly number[]): Promise<void> {
  const { crash, check } = t;
  if (!check.given('crash', crash, 'leaves the rows as a crash in the middle of a write does')) return;
  let current: RowStore = t.store;
  let version = 'old';
  await current.load();
  await current.write(rowsOf(size, version));
  for (const share of shares) {
    const name = `share ${share}`;
    await crash(current, changesTo(size, name, version), share);
    const when = `after a crash at ${share} of a write of ${size + 2} rows`;
    const next = await laterThan(t, current, when);
    const isWhole = checkWhole(t, next.rows, { size, name, version, when });
    if (isWhole) version = name;
    // The rest of the cut-off write must not spoil the next one.
    await next.store.write([row('next', share)]);
    const after = `${when} and one whole write`;
    const last = await laterThan(t, next.store, after);
    const [key, text] = row('next', share);
    check.equal(last.rows.get(key), text, `the row of the whole write ${after}`);
    const others = new Map([...last.rows].filter(([one]) => one !== key));
    check.equal(stored(others, rowsOf(size, version)), 'all', `rows ${after}`);
    await last.store.write([[key, null]]);
    current = last.store;
  }
}

async function failTest(t: RowStoreTest, size: number, counts: readonly number[]): Promise<void> {
  const { failAt, crash, check } = t;
  // A crash leaves what a failure leaves, so the check of `crash` is enough.
  const hook = crash && failAt === undefined ? false : failAt;
  if (!check.given('failAt', hook, 'makes the next write fail when some of its rows are stored')) return;
  let current: RowStore = t.store;
  let version = 'old';
  await current.load();
  await current.write(rowsOf(size, version));
  for (const count of counts) {
    const name = `count ${count}`;
    await hook(count);
    const isWritten = await settles(current.write(changesTo(size, name, version)));
    // If the write is confirmed, the store has hidden the error, or the hook has broken no write.
    if (isWritten)
      check
        .by('kept')
        .fail(
          `a write of ${size + 2} rows was confirmed after \`failAt(${count})\`: the store hides the error, or the hook breaks no write (does it count the rows of each transaction, and not those of the write?)`,
        );
    const outcome = isWritten ? 'was confirmed' : 'failed';
    const when = `after a write of ${size + 2} rows that ${outcome} at row ${count}`;
    const next = await laterThan(t, current, when);
    if (isWritten) check.by('kept').equal(stored(next.rows, rowsOf(size, name)), 'all', `rows ${when}`);
    if (checkWhole(t, next.rows, { size, name, version, when })) version = name;
    current = next.store;
  }
}

/** Whether the new version is stored. Fails if neither the new version nor the one before is stored as a whole. */
function checkWhole(
  { check }: RowStoreTest,
  found: ReadonlyMap<string, string>,
  { size, name, version, when }: Record<'name' | 'version' | 'when', string> & { size: number },
): boolean {
  if (stored(found, rowsOf(size, version)) === 'all') return false;
  check.equal(stored(found, rowsOf(size, name)), 'all', `rows of the write ${when}`);
  return true;
}

/** How much of a version is stored. In words, because a report of 1,200 rows would be unreadable. */
function stored(found: ReadonlyMap<string, string>, version: readonly StoredRow[]): string {
  const keys = new Set(version.map(([key]) => key));
  const same = version.filter(([key, text]) => found.get(key) === text).length;
  const others = [...found.keys()].filter((key) => !keys.has(key)).length;
  if (same === version.length && others === 0) return 'all';
  return `${same} of ${version.length} rows, and ${others} rows that the write has removed`;
}

/** As `later`, but a `load` that rejects is reported with what was done before. */
const laterThan = (t: RowStoreTest, store: RowStore, when: string) =>
  done(t.check, `\`load\` ${when}`, later({ ...t, store }));
