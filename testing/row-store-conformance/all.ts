import type { StoredRow } from 'express-prediction-market/storage/memory';
import { failureTests } from './failures';
import { ownerTests } from './owners';
import { garbledTests } from './garbled';
import { serviceTests } from './services';
import { done, KILLS, later, listOf, loaded, row, type RowStoreTest } from './rows';
import type { RowStoreSuite } from './suite';
import { textTests } from './texts';

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

    test('can remove a key that it does not have, and write a row again', ['absent', 'rows'], againTest);
    textTests(suite);
    test('has every row of a large write', 'whole', largeTest);
    test('has what was confirmed when a process ends without closing it', 'kept', keptTest);
    ownerTests(suite);
    failureTests(suite);
    serviceTests(suite);
    garbledTests(suite);
  });
}

async function againTest(t: RowStoreTest): Promise<void> {
  const { store, check } = t;
  const { write } = store;
  await store.load();
  await done(
    check,
    '`write` that removes a key which was never stored',
    write([['never', null], row('a', 1)]),
  );
  const again = check.by('rows');
  await done(again, '`write` of a row as it is already stored', write([row('a', 1)]));
  await write([['a', null], row('b', 1)]);
  await done(check, '`write` that removes a key which is already removed', write([['a', null]]));
  await done(again, '`write` of a key that was removed', write([row('a', 2)]));
  const { rows } = await later(t);
  again.equal(listOf(rows), [row('a', 2), row('b', 1)]);
}

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
