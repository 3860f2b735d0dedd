import type { StoredRow } from 'express-prediction-market/storage/memory';
import { failureTests } from './failures';
import { ownerTests } from './owners';
import { KILLS, later, listOf, loaded, row, type RowStoreTest } from './rows';
import type { RowStoreSuite } from './suite';

/** Registers all tests of the suite with a kit. */
export function registerRowStoreTests(suite: RowStoreSuite): void {
  const { describe, test, testMembers } = suite;
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

    test('has a row of its own for each key', ['keys', 'rows', 'kept'], keysTest);
    test('has every row of a large write', 'whole', largeTest);
    test('has what was confirmed when a process ends without closing it', 'kept', keptTest);
    ownerTests(suite);
    failureTests(suite);
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

async function keysTest(t: RowStoreTest): Promise<void> {
  const { store, check } = t;
  await store.load();
  const keys = SIMILAR_KEYS.flat();
  await store.write(keys.map((key) => row(key, key)));
  await store.write(SIMILAR_KEYS.map(([one]) => row(one, 'newer')));
  const next = await later(t);
  // Rows that are stored late say nothing about keys.
  check.by('kept').equal(next.rows.size > 0, true, 'whether a confirmed row is there');
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

/** A new version of the package may change the rows of all markets by one `write`. */
const MANY = 3_000;

async function largeTest(t: RowStoreTest): Promise<void> {
  await t.store.load();
  await t.store.write(Array.from({ length: MANY }, (_, index): StoredRow => row(`many/${index}`, index)));
  const { rows } = await later(t);
  t.check.equal(rows.size, MANY, `rows after one write of ${MANY} rows`);
}

async function keptTest({ store, another, kill, check }: RowStoreTest): Promise<void> {
  await store.load();
  await store.write([row('a', 1)]);
  await store.write([row('b', 1)]);
  const next = await another();
  let rows = await loaded(next);
  if (rows === null) {
    if (!check.given('kill', kill, KILLS)) return;
    await kill(store);
    rows = await next.load();
  }
  check.equal(listOf(rows), [row('a', 1), row('b', 1)]);
}
