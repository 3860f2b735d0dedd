/** Checks of several processes: one of them writes, and no confirmed row is lost when another one takes over. */
import type { RowStore } from 'express-prediction-market/storage/memory';
import { insteadOf } from '../conformance/failure';
import { done, later, listOf, loaded, row, settles, turns, type RowStoreTest } from './rows';
import type { RowStoreSuite } from './suite';

export function ownerTests({ test }: RowStoreSuite): void {
  test('is written by one process at a time', ['owner', 'stale', 'rows'], ownerTest);
  test('is loaded by many processes at once, and written by one of them', 'owner', crowdTest);
  test('loses no confirmed row to a process that takes over', ['handover', 'owner'], handoverTest);
  test('loses no row of a process that closes while another one loads', ['handover', 'owner'], closingTest);
}

async function ownerTest({ store, another, kill, check }: RowStoreTest): Promise<void> {
  await store.load();
  await store.write([row('a', 1)]);
  const second = await another();
  if ((await loaded(second)) === null) {
    // When a refused process closes its store, the owner must keep its lock.
    await second.close().catch(() => undefined);
    const third = await another();
    if ((await loaded(third)) !== null) {
      const label = 'a write of the earlier owner, after a refused process has closed and another has loaded';
      await check.rejects(store.write([row('a', 2)]), label);
      return;
    }
    await store.write([row('a', 2)]);
    await store.close();
    check.by('rows').equal(listOf(await third.load()), [row('a', 2)], 'rows of the next owner');
  } else {
    await second.write([row('a', 3)]);
    await check.rejects(store.write([row('a', 4), row('stale', 1)]), 'a write of the earlier owner');
    await store.close().catch(() => undefined); // as a deployment ends the old process when the new one runs
    const label = 'a write of the owner, after the earlier owner has closed';
    await done(check, label, second.write([row('b', 1)]));
    const { rows } = await later({ store: second, another, kill });
    const found = listOf(rows);
    check.by('stale').equal(found, [row('a', 3), row('b', 1)], 'rows of the third process');
  }
}

/**
 * How many processes load at the same time. Node's pool has four threads by default. If drivers waited for the lock in
 * all four, the process that has the lock could not use its driver.
 */
const CROWD = 4;

/** How often the processes load. Whether two processes both find no lock is a matter of chance. */
const ROUNDS = 12;

/**
 * In every other round, a process that has written is killed (if the test has `kill`). The other processes that
 * have loaded are closed.
 */
async function crowdTest({ store, another, kill, check }: RowStoreTest): Promise<void> {
  let crowd: RowStore[] = [store];
  for (let round = 0; round < ROUNDS; round += 1) {
    while (crowd.length < CROWD) crowd.push(await another());
    const isLoaded = await Promise.all(crowd.map((one) => settles(one.load())));
    const owners = crowd.filter((_one, index) => isLoaded[index]);
    const isWritten = await Promise.all(
      owners.map((one, index) => settles(one.write([row(`owner/${index}`, round)]))),
    );
    const writers = isWritten.filter(Boolean).length;
    const seen = `${CROWD} processes have loaded at once, and ${writers} of them can write`;
    check.holds(writers <= 1, insteadOf(seen, 'one of them at most'));
    for (const [index, owner] of owners.entries())
      await (kill && round % 2 === 0 && isWritten[index]
        ? kill(owner)
        : owner.close().catch(() => undefined));
    crowd = [];
  }
}

/**
 * The earlier process writes at most so many turns of the event loop before or after the later process loads.
 */
const LATEST_TURN = 12;

async function handoverTest({ store, another, check }: RowStoreTest): Promise<void> {
  let current = store;
  await current.load();
  for (let turn = -LATEST_TURN; turn <= LATEST_TURN; turn += 1) {
    const next = await another();
    const key = `write/${turn}`;
    const write = (): Promise<boolean> => settles(current.write([row(key, 1)]));
    const [isWritten, rows] = await Promise.all([
      turns(turn).then(write),
      turns(-turn).then(() => loaded(next)),
    ]);
    // The store refuses the later process while the earlier one is open. That is allowed.
    if (rows === null) continue;
    if (isWritten && !rows.has(key))
      check.fail(
        `a write was confirmed while a later process loaded, and the later process does not have its row`,
      );
    check
      .by('owner')
      .holds(
        !(await settles(current.write([row('late', 1)]))),
        insteadOf('`write` of the earlier process fulfilled after the later one had loaded', 'a rejection'),
      );
    current = next;
  }
}

/** So many processes load again and again, until one of them is the owner. */
const CALLERS = 3;

/** How many owners end. The first one ends at once, and each later one waits one turn of the event loop longer. */
const ENDINGS = 8;

/** A store that reads the rows before it takes the lock misses what the owner writes after that read. */
async function closingTest({ store, another, check }: RowStoreTest): Promise<void> {
  let owner = store;
  await owner.load();
  for (let ending = 0; ending < ENDINGS; ending += 1) {
    const key = `last/${ending}`;
    let hasEnded = false;
    let isWritten = false;
    const end = async (): Promise<void> => {
      await turns(ending);
      isWritten = await settles(owner.write([row(key, 1)]));
      await owner.close().catch(() => undefined);
      hasEnded = true;
    };
    const callers = Array.from({ length: CALLERS }, () => loadedAtLast(another, () => hasEnded));
    const [found] = await Promise.all([Promise.all(callers), end()]);
    const next = found.find((one) => one !== null) ?? (await loadedAtLast(another, () => false));
    if (next === null) return check.fail('no process can load the rows after their owner has closed');
    if (isWritten && !next.rows.has(key))
      check.fail(
        'the owner wrote its last row and closed while another process loaded, and that process does not have the row: it reads the rows before it owns them',
      );
    owner = next.store;
  }
}

/** Loads new stores until one `load` fulfils. The attempt that begins when `isLast()` is `true` is the last one. */
async function loadedAtLast(another: RowStoreTest['another'], isLast: () => boolean) {
  for (let attempt = 0; attempt < 1_000; attempt += 1) {
    const isLastAttempt = isLast();
    const store = await another();
    const rows = await loaded(store);
    if (rows !== null) return { store, rows };
    if (isLastAttempt) return null;
  }
  return null;
}
