/** Row stores in a file, with one fault each. The suite finds each fault and names it. */
import { describe, expect, it } from '@jest/globals';
import { memoryStorage, type RowStore } from '../../adapters/storage/memory';
import { silentLogger } from '../../src/ports/logger';
import {
  rowStoreConformance,
  storageConformance,
  type RowStoreUnderTest,
  type StorageUnderTest,
} from '../../testing';
import { ROW_STORE_CONTRACT, type RowStoreSentence } from '../../testing/row-store-conformance/contract';
import { recordingRunner, type Recording } from '../storage/broken/recording-runner';
import { foundBy, reportOf, type Found } from './fault-table';
import { journalWith, type JournalFault } from './liars/journal-stores';

function conformanceOf(fault: JournalFault, only = '', hooks: Partial<RowStoreUnderTest> = {}) {
  const { runner, run } = recordingRunner(expect);
  rowStoreConformance(runner, { create: async () => ({ ...(await journalWith(fault)), ...hooks }) });
  return run(only) as Promise<Recording>;
}

const KEPT = 'a row store: has what was confirmed when a process ends without closing it';
const LOST = 'a row store: confirms and reads nothing without its database';
const CRASH = 'a row store: has all rows or none of a write that a crash has cut off';
const FAILED = 'a row store: has all rows or none of a write that has failed';
const BROKEN = 'a row store: was made to fail by one hook at least, or says why none can';

const FAULTS: Found<JournalFault, RowStoreSentence>[] = [
  ...foundBy(KEPT, 'kept', { 'stores its rows when it is closed': { storesAtClose: true } }),
  ...foundBy('a row store: is written by one process at a time', 'owner', {
    'frees the lock of its owner after a refused load': { freesForeignLock: true },
  }),
  ...foundBy('a row store: is loaded by many processes at once, and written by one of them', 'owner', {
    'looks for a lock and then makes one': { looksThenLocks: true },
  }),
  ...foundBy(LOST, 'lost', {
    'hides that the file refuses the rows': { hidesErrors: true },
    'does not wait for the file': { doesNotWait: true },
  }),
  ...foundBy(FAILED, 'kept', { 'confirms rows that a full disk has refused': { hidesErrors: true } }),
  ...foundBy('a row store: returns all rows or rejects when they cannot be read', 'rows', {
    'takes a damaged file for an empty one': { forgetsDamaged: true },
  }),
  ...foundBy('a row store: has every row of a large write', 'whole', {
    'stores the first 500 rows of a write': { storesSome: true },
  }),
  ...foundBy(CRASH, 'whole', { 'writes behind a line that a crash has cut off': { keepsTornLine: true } }),
  ...foundBy('a row store: has a row of its own for each key', 'kept', {
    'stores its rows late': { isLate: true },
  }),
];

describe('the row store conformance suite, for a file with a lock', () => {
  it('passes a store that keeps its word', async () => {
    const { reports, passed } = await conformanceOf({});
    expect(reports).toEqual(new Map());
    expect(passed).toHaveLength(26);
  });

  it.each(FAULTS)('tells of a store that $does', async ({ fault, test, sentence }) => {
    const { reports } = await conformanceOf(fault, test);
    expect(reports.get(test)).toMatch(reportOf(ROW_STORE_CONTRACT, sentence));
  });

  it('names the crash after which the rows cannot be loaded', async () => {
    const { reports } = await conformanceOf({ keepsTornLine: true }, CRASH);
    expect(reports.get(CRASH)).toMatch(
      /`load` after a crash at 0\.2 of a write of 5 rows and one whole write: "SyntaxError/,
    );
  });

  it('asks for `kill` where a lock refuses the later process', async () => {
    const { failed, reports } = await conformanceOf({ storesAtClose: true }, KEPT, { kill: undefined });
    expect(failed).toEqual([KEPT]);
    expect(reports.get(KEPT)).toContain('Give `kill` (');
  });

  it('refuses a store whose write was never made to fail', async () => {
    const crashOnly = { failAt: undefined, cutOff: false } as const;
    const { reports } = await conformanceOf({ hidesErrors: true }, BROKEN, crashOnly);
    expect(reports.get(BROKEN)).toContain(
      '`failAt` and `cutOff` are both absent, so no check has made a write fail.',
    );
  });

  it('a storage with such a lock passes with `kill`, and without it a report names the hook', async () => {
    const name =
      'data that are opened again: hold the last of many commits when the handle was left lying as by a crash';
    for (const isGiven of [true, false]) {
      const { runner, run } = recordingRunner(expect);
      storageConformance(runner, { create: () => storageOnJournal(isGiven) });
      const report = (await run(name)).reports.get(name);
      if (isGiven) expect(report).toBeUndefined();
      else expect(report).toContain('give the hook `kill`');
    }
  });
});

async function storageOnJournal(givesKill: boolean): Promise<StorageUnderTest> {
  const { store, another, kill, destroy } = await journalWith({});
  const opened = async (rows: RowStore) => {
    const storage = memoryStorage({ store: rows });
    await storage.open({ logger: silentLogger });
    return storage;
  };
  const absent = { another: false, inspect: false, cutOff: false, loseCommit: false } as const;
  const storage = await opened(store);
  const reopen = async () => opened(await another());
  return {
    ...{ storage, reopen, ...absent, destroy },
    ...(givesKill && kill ? { kill: () => kill(store) } : {}),
  };
}
