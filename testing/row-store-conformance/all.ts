import type { RowStore, StoredRow } from 'express-prediction-market/storage/memory';
import type { Check } from '../conformance/check';
import type { RowStoreSentence } from './contract';
import type { RowStoreContext, RowStoreSuite } from './suite';

/** Registers all tests of the suite with a kit. */
export function registerRowStoreTests({ describe, test, testMembers }: RowStoreSuite): void {
  testMembers('rows');
  describe('a row store', () => {
    test('has the newest row of each key, and none that was removed', ['rows', 'removed'], async (t) => {
      const { store, check } = t;
      check.equal(listOf(await store.load()), [], 'rows at first');
      await store.write([row('a', 1), row('b', 1), row('c', 1)]);
      await store.write([row('a', 2), ['b', null]]);
      await store.write([row('d', 'ü~"\n')]);
      await store.close();
      check.equal(listOf(await (await t.another()).load()), [row('a', 2), row('c', 1), row('d', 'ü~"\n')]);
    });

    test('has what was confirmed when a process ends without closing it', 'kept', async (t) => {
      await t.store.load();
      await t.store.write([row('a', 1)]);
      await t.store.write([row('b', 1)]);
      t.check.equal(listOf((await later(t)).rows), [row('a', 1), row('b', 1)]);
    });

    test('is written by one process at a time', ['owner', 'rows'], ownerTest);
    test('confirms and reads nothing without its database', ['lost', 'kept'], async (t) => {
      const { store, cutOff, check } = t;
      if (!check.given('cutOff', cutOff, 'makes the database of the rows unreachable')) return;
      await store.load();
      await store.write([row('a', 1)]);
      await cutOff();
      for (const time of ['first', 'second'])
        await check.rejects(store.write([row('a', 2)]), `the ${time} write without the database`);
      const next = async (): Promise<unknown> => (await t.another()).load();
      await check.rejects(next(), 'the load of a later process');
    });

    test('has all rows or none of a write that a crash has cut off', 'whole', crashTest);
  });
}

const row = (key: string, value: unknown): StoredRow => [key, JSON.stringify(value)];

const listOf = (rows: ReadonlyMap<string, string>): StoredRow[] =>
  [...rows].sort(([one], [other]) => (one < other ? -1 : 1));

type Test = RowStoreContext & { check: Check<RowStoreSentence> };

/**
 * Opens the rows as a later process does. If the store refuses the later process, the first one is closed
 * before.
 */
async function later({ store, another }: Pick<Test, 'store' | 'another'>) {
  const next = await another();
  const rows = await next.load().catch(async () => {
    await store.close();
    return next.load();
  });
  return { store: next, rows };
}

async function ownerTest({ store, another, check }: Test): Promise<void> {
  await store.load();
  await store.write([row('a', 1)]);
  const second = await another();
  const isRefused = await second.load().then(
    () => false,
    () => true,
  );
  if (isRefused) {
    await store.write([row('a', 2)]);
    await store.close();
    check.by('rows').equal(listOf(await second.load()), [row('a', 2)], 'rows of the next owner');
  } else {
    await second.write([row('a', 3)]);
    await check.rejects(store.write([row('a', 4)]), 'a write of the earlier owner');
    await second.write([row('b', 1)]);
  }
}

async function crashTest(t: Test): Promise<void> {
  const { crash, check } = t;
  if (!check.given('crash', crash, 'leaves the rows as a crash in the middle of a write')) return;
  let current: RowStore = t.store;
  await current.load();
  await current.write([row('a', 'old'), row('b', 'old'), row('c', 'old')]);
  let expected = [row('a', 'old'), row('b', 'old'), row('c', 'old')];
  for (const share of [0, 0.2, 0.4, 0.6, 0.8, 0.99]) {
    const changes = [row('a', share), row('b', share), row('c', share)];
    await crash(current, changes, share);
    const next = await later({ store: current, another: t.another });
    const found = listOf(next.rows);
    check.oneOf(found, [expected, changes], `rows after a crash at ${share} of a write`);
    expected = found;
    current = next.store;
  }
}
