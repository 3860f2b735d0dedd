import { setImmediate as nextTurn } from 'node:timers/promises';
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
      const rows = await (await t.another()).load();
      check.by('removed').equal(rows.has('b'), false, 'whether a row is there that was removed');
      check.equal(listOf(rows), [row('a', 2), row('c', 1), row('d', 'ü~"\n')]);
    });

    test('has a row of its own for each key', ['keys', 'rows'], keysTest);

    test('has what was confirmed when a process ends without closing it', 'kept', async (t) => {
      await t.store.load();
      await t.store.write([row('a', 1)]);
      await t.store.write([row('b', 1)]);
      t.check.equal(listOf((await later(t)).rows), [row('a', 1), row('b', 1)]);
    });

    test('is written by one process at a time', ['owner', 'rows'], ownerTest);
    test('loses no confirmed row to a process that takes over', ['handover', 'owner'], handoverTest);

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

    test('has all rows or none of a write that has failed', 'whole', failTest);

    test('was broken by one hook at least, or says why none can', ['whole', 'lost', 'kept'], brokenTest);
  });
}

/** Pairs of keys that databases and drivers may take for the same, because of a collation or a length. */
const SIMILAR_KEYS = [
  ['idempotency/key', 'idempotency/KEY'],
  ['slug/a', 'slug/a '],
  ['slug/b', ' slug/b'],
  ['slug/cafe', 'slug/café'],
  ['slug/é', 'slug/e\u0301'],
  ['slug/ss', 'slug/ß'],
  ['slug/a_b', 'slug/axb'],
  [`slug/${'k'.repeat(300)}1`, `slug/${'k'.repeat(300)}2`],
] as const;

async function keysTest(t: Test): Promise<void> {
  const { store, check } = t;
  await store.load();
  const keys = SIMILAR_KEYS.flat();
  await store.write(keys.map((key) => row(key, key)));
  await store.write(SIMILAR_KEYS.map(([one]) => row(one, 'newer')));
  const next = await later(t);
  for (const [one, other] of SIMILAR_KEYS) {
    check.equal(next.rows.get(one), JSON.stringify('newer'), `the row of ${JSON.stringify(one)}`);
    check.equal(next.rows.get(other), JSON.stringify(other), `the row of ${JSON.stringify(other)}`);
  }
  await next.store.write(SIMILAR_KEYS.map(([one]) => [one, null]));
  const last = await later({ ...t, store: next.store });
  const left = [...last.rows.keys()].sort();
  check.equal(
    left,
    SIMILAR_KEYS.map(([, other]) => other).sort(),
    'keys left when the first of each pair is removed',
  );
}

const row = (key: string, value: unknown): StoredRow => [key, JSON.stringify(value)];

const listOf = (rows: ReadonlyMap<string, string>): StoredRow[] =>
  [...rows].sort(([one], [other]) => (one < other ? -1 : 1));

type Test = RowStoreContext & { check: Check<RowStoreSentence> };

/**
 * Opens the rows as a later process does. If the store refuses the later process, this closes the first one
 * and loads again.
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

/**
 * The earlier process writes at most so many turns of the event loop before or after the later process loads.
 */
const LATEST_TURN = 12;

async function handoverTest({ store, another, check }: Test): Promise<void> {
  let current = store;
  await current.load();
  for (let turn = -LATEST_TURN; turn <= LATEST_TURN; turn += 1) {
    const next = await another();
    const key = `write/${turn}`;
    const write = (): Promise<boolean> => settles(current.write([row(key, 1)]));
    const load = (): Promise<ReadonlyMap<string, string> | null> => next.load().catch(() => null);
    const [isWritten, rows] = await Promise.all([turns(turn).then(write), turns(-turn).then(load)]);
    // The store refuses the later process while the earlier one is open. That is allowed.
    if (rows === null) continue;
    if (isWritten && !rows.has(key))
      check.fail(
        `a write was confirmed while a later process loaded, and the later process does not have its row`,
      );
    check
      .by('owner')
      .equal(
        await settles(current.write([row('late', 1)])),
        false,
        'a write after the later process has loaded is confirmed',
      );
    current = next;
  }
}

const settles = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await nextTurn();
}

async function failTest(t: Test): Promise<void> {
  const { failAt, crash, check } = t;
  // A crash leaves what a failure leaves, so the check of `crash` is enough.
  if (crash && failAt === undefined) return;
  if (!check.given('failAt', failAt, 'makes the next write fail when some of its rows are stored')) return;
  let current: RowStore = t.store;
  await current.load();
  let expected = [row('a', 'old'), row('b', 'old'), row('c', 'old')];
  await current.write(expected);
  for (const count of [0, 1, 2]) {
    const changes = [row('a', count), row('b', count), row('c', count)];
    await failAt(count);
    const isWritten = await settles(current.write(changes));
    const next = await later({ store: current, another: t.another });
    const found = listOf(next.rows);
    const label = `rows after a write that ${isWritten ? 'was confirmed' : 'failed'} at row ${count}`;
    check.oneOf(found, isWritten ? [changes] : [expected, changes], label);
    expected = found;
    current = next.store;
  }
}

/**
 * Fails if no hook breaks a write and `unbreakable` gives no reason. The suite would then show nothing about
 * crashes.
 */
async function brokenTest({ crash, failAt, cutOff, unbreakable, check }: Test): Promise<void> {
  // A hook that is neither given nor declared absent fails its own check.
  if ([crash, failAt, cutOff].some((hook) => hook !== false)) return;
  const reason = unbreakable ?? '';
  if (reason.trim() === '')
    check.notChecked(
      '`crash`, `failAt` and `cutOff` are all `false`, so no check has broken a write, and the suite has shown nothing of what a crash or a failure leaves. Give one of them, or say in `unbreakable` in one sentence why no test can break a write.',
    );
  check.given(`crash, failAt, cutOff (${reason})`, false, 'breaks a write');
}

async function crashTest(t: Test): Promise<void> {
  const { crash, check } = t;
  if (!check.given('crash', crash, 'leaves the rows as a crash in the middle of a write does')) return;
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
