/** Checks of a store whose database is lost, or whose rows are damaged. */
import { partialWriteTests } from './partial-writes';
import { listOf, loaded, row, type RowStoreTest } from './rows';
import type { RowStoreSuite } from './suite';

export function failureTests(suite: RowStoreSuite): void {
  const { test } = suite;
  test('confirms and reads nothing without its database', ['lost', 'kept'], lostTest);
  test('returns all rows or rejects when they cannot be read', 'rows', damageTest);
  partialWriteTests(suite);
  test('was made to fail by one hook at least, or says why none can', ['kept', 'lost', 'whole'], brokenTest);
}

async function lostTest({ store, another, cutOff, check }: RowStoreTest): Promise<void> {
  if (!check.given('cutOff', cutOff, 'makes the database or the file of the rows unreachable')) return;
  await store.load();
  await store.write([row('a', 1)]);
  await cutOff();
  for (const time of ['first', 'second'])
    await check.rejects(store.write([row('a', 2)]), `the ${time} \`write\` without the database`);
  const next = async (): Promise<unknown> => (await another()).load();
  await check.rejects(next(), '`load` of a later process without the database');
}

async function damageTest({ store, another, damage, check }: RowStoreTest): Promise<void> {
  if (!check.given('damage', damage, 'makes the stored rows unreadable')) return;
  const rows = [row('a', 1), row('b', 1)];
  await store.load();
  for (const one of rows) await store.write([one]);
  await store.close();
  await damage();
  const found = await loaded(await another());
  check.oneOf(found === null ? 'rejected' : listOf(found), ['rejected', rows], '`load` of damaged rows');
  if (found !== null)
    check.notChecked(
      '`damage` does nothing: `load` of a later process returned all rows. Damage the rows that it reads.',
    );
}

/**
 * Fails if no hook makes a write fail and `unbreakable` gives no reason. The suite would then not show that a `write`
 * rejects when its rows are not stored.
 */
async function brokenTest({ crash, failAt, cutOff, unbreakable, check }: RowStoreTest): Promise<void> {
  const isAbsent = failAt === false || (crash && failAt === undefined);
  // A hook that is neither given nor declared absent fails its own check.
  if (!isAbsent || cutOff !== false) return;
  const reason = unbreakable ?? '';
  if (reason.trim() === '')
    check.notChecked(
      '`failAt` and `cutOff` are both absent, so no check has made a write fail. A `write` that hides every error would pass. Give one of them (for a file: put a folder in its place), or say in `unbreakable` in one sentence why no test can make a write fail.',
    );
  check.given(`failAt, cutOff (${reason})`, false, 'makes a write fail');
}
