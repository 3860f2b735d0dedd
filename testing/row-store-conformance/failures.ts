/** Checks of what a crash, a failure or a lost database leaves. */
import type { RowStore } from 'express-prediction-market/storage/memory';
import { shown } from '../conformance/failure';
import { later, listOf, loaded, row, settles, type RowStoreTest } from './rows';
import type { RowStoreSuite } from './suite';

export function failureTests({ test }: RowStoreSuite): void {
  test('confirms and reads nothing without its database', ['lost', 'kept'], lostTest);
  test('returns all rows or rejects when they cannot be read', 'rows', damageTest);
  test('has all rows or none of a write that a crash has cut off', 'whole', crashTest);
  test('has all rows or none of a write that has failed', ['whole', 'kept'], failTest);
  test('was made to fail by one hook at least, or says why none can', ['kept', 'lost', 'whole'], brokenTest);
}

async function lostTest({ store, another, cutOff, check }: RowStoreTest): Promise<void> {
  if (!check.given('cutOff', cutOff, 'makes the database or the file of the rows unreachable')) return;
  await store.load();
  await store.write([row('a', 1)]);
  await cutOff();
  for (const time of ['first', 'second'])
    await check.rejects(store.write([row('a', 2)]), `the ${time} write without the database`);
  const next = async (): Promise<unknown> => (await another()).load();
  await check.rejects(next(), 'the load of a later process');
}

async function damageTest({ store, another, damage, check }: RowStoreTest): Promise<void> {
  if (!check.given('damage', damage, 'makes the stored rows unreadable')) return;
  const rows = [row('a', 1), row('b', 1)];
  await store.load();
  for (const one of rows) await store.write([one]);
  await store.close();
  await damage();
  const found = await loaded(await another());
  check.oneOf(found === null ? 'rejected' : listOf(found), ['rejected', rows], 'the load of damaged rows');
}

async function crashTest(t: RowStoreTest): Promise<void> {
  const { crash, check } = t;
  if (!check.given('crash', crash, 'leaves the rows as a crash in the middle of a write does')) return;
  let current: RowStore = t.store;
  await current.load();
  await current.write([row('a', 'old'), row('b', 'old'), row('c', 'old')]);
  let expected = [row('a', 'old'), row('b', 'old'), row('c', 'old')];
  for (const share of [0, 0.2, 0.4, 0.6, 0.8, 0.99]) {
    const changes = [row('a', share), row('b', share), row('c', share)];
    await crash(current, changes, share);
    const when = `after a crash at ${share} of a write`;
    const next = await laterThan(t, current, when);
    const found = listOf(next.rows);
    check.oneOf(found, [expected, changes], `rows ${when}`);
    // The rest of the cut-off write must not spoil the next one.
    await next.store.write([row('d', share)]);
    current = next.store;
    const last = await laterThan(t, current, `${when} and one whole write`);
    check.equal(listOf(last.rows), [...found, row('d', share)], `rows ${when} and one whole write`);
    await last.store.write([['d', null]]);
    expected = found;
    current = last.store;
  }
}

/** As `later`, but a `load` that rejects is reported with what was done before. */
async function laterThan(t: RowStoreTest, store: RowStore, when: string) {
  return later({ ...t, store }).catch((error: unknown) => t.check.fail(`\`load\` ${when}: ${shown(error)}`));
}

async function failTest(t: RowStoreTest): Promise<void> {
  const { failAt, crash, check } = t;
  // A crash leaves what a failure leaves, so the check of `crash` is enough.
  const hook = crash && failAt === undefined ? false : failAt;
  if (!check.given('failAt', hook, 'makes the next write fail when some of its rows are stored')) return;
  let current: RowStore = t.store;
  await current.load();
  let expected = [row('a', 'old'), row('b', 'old'), row('c', 'old')];
  await current.write(expected);
  for (const count of [0, 1, 2]) {
    const changes = [row('a', count), row('b', count), row('c', count)];
    await hook(count);
    const isWritten = await settles(current.write(changes));
    const when = `after a write that ${isWritten ? 'was confirmed' : 'failed'} at row ${count}`;
    const next = await laterThan(t, current, when);
    const found = listOf(next.rows);
    if (isWritten) check.by('kept').equal(found, changes, `rows ${when}`);
    else check.oneOf(found, [expected, changes], `rows ${when}`);
    expected = found;
    current = next.store;
  }
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
