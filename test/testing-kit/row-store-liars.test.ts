/** Row stores with one fault each. The suite finds each fault and names it. */
import { describe, expect, it } from '@jest/globals';
import { memoryStorage, type RowStore } from '../../adapters/storage/memory';
import type { Storage } from '../../src/ports/storage';
import { silentLogger } from '../../src/ports/logger';
import {
  inspectRows,
  rowStoreConformance,
  storageConformance,
  type RowStoreUnderTest,
  type StorageUnderTest,
} from '../../testing';
import { ROW_STORE_CONTRACT, type RowStoreSentence } from '../../testing/row-store-conformance/contract';
import { PROVEN_ELSEWHERE } from '../../testing/storage-conformance/contract';
import { recordingRunner, type Recording } from '../storage/broken/recording-runner';
import { foundBy, type Found } from './fault-table';
import { rowStoreWith, type RowStoreFault } from './liars/row-stores';

function conformanceOf(create: () => RowStoreUnderTest): Promise<Recording> {
  const { runner, run } = recordingRunner(expect);
  rowStoreConformance(runner, { create: async () => create(), timeLimitMs: 3_000 });
  return run();
}

/** The memory storage with its rows in the row store. */
async function storageOn({ store, another }: RowStoreUnderTest): Promise<StorageUnderTest> {
  const opened = async (rows: RowStore): Promise<Storage> => {
    const storage = memoryStorage({ store: rows });
    await storage.open({ logger: silentLogger });
    return storage;
  };
  const storage = await opened(store);
  const absent = {
    another: false,
    inspect: inspectRows(async () => new Map()),
    cutOff: false,
    loseCommit: false,
  } as const;
  return { storage, reopen: async () => opened(await another()), ...absent, destroy: () => storage.close() };
}

const FAULTS: Found<RowStoreFault, RowStoreSentence>[] = [
  ...foundBy('a row store: has what was confirmed when a process ends without closing it', 'kept', {
    'confirms rows before they are stored': { loses: true },
  }),
  ...foundBy('a row store: has all rows or none of a write that a crash has cut off', 'whole', {
    'leaves half a write after a crash': { tears: true },
  }),
  ...foundBy('a row store: is written by one process at a time', 'owner', {
    'lets two processes write': { shares: true },
  }),
  ...foundBy('a row store: has the newest row of each key, and none that was removed', 'removed', {
    'keeps rows that were removed': { keepsRemoved: true },
  }),
  ...foundBy('a row store: has the newest row of each key, and none that was removed', 'rows', {
    'keeps the oldest row of a key': { keepsFirst: true },
  }),
  ...foundBy('a row store: confirms and reads nothing without its database', 'lost', {
    'confirms rows without its database': { queues: true },
    'takes a database that is away for an empty one': { forgets: true },
  }),
  ...foundBy('a row store: loses no confirmed row to a process that takes over', 'handover', {
    'reads the rows before it is the owner': { readsFirst: true },
    'looks at the owner before it stores the rows': { looksBefore: true },
  }),
  ...foundBy('a row store: loses no row of a process that closes while another one loads', 'handover', {
    'reads the rows before it takes the lock': { readsFirst: true, locks: true },
  }),
  ...foundBy('a row store: has all rows or none of a write that has failed', 'whole', {
    'leaves the rows before a failure': { stopsHalfway: true },
  }),
  ...Object.entries({
    'letter case': (key: string) => key.toLowerCase(),
    'spaces at the end': (key: string) => key.trimEnd(),
    accents: (key: string) => key.normalize('NFD').replaceAll(/\p{Mn}/gu, ''),
    'how an accent is written': (key: string) => key.normalize('NFC'),
    'the end of a long key': (key: string) => key.slice(0, 255),
  }).map(([what, keyOf]) => ({
    does: `ignores ${what}`,
    fault: { keyOf },
    test: 'a row store: has a row of its own for each key',
    sentence: 'keys' as const,
  })),
];

describe('the row store conformance suite', () => {
  it.each([
    ['fails the writes of the process before', {}],
    ['refuses a second process', { locks: true } as const],
  ])('passes a store that %s', async (_does, fault) => {
    const { reports, passed } = await conformanceOf(() => rowStoreWith(fault));
    expect(reports).toEqual(new Map());
    expect(passed).toHaveLength(14);
  });

  it.each(FAULTS)('tells of a store that $does', async ({ fault, test, sentence }) => {
    const { reports, failed } = await conformanceOf(() => rowStoreWith(fault));
    expect(failed).toContain(test);
    expect(reports.get(test)).toContain(
      `The contract of the port RowStore is broken: “${ROW_STORE_CONTRACT.sentences[sentence]}”\nSeen: `,
    );
  });

  it('names the rule of keys in the first failure of both suites', async () => {
    const keyOf = (key: string): string => key.toLowerCase();
    const { runner, run } = recordingRunner(expect);
    storageConformance(runner, {
      create: () => storageOn(rowStoreWith({ keyOf })),
      provenElsewhere: PROVEN_ELSEWHERE,
    });
    const [first = '', ...others] = [
      ...(await run()).reports.values(),
      ...(await conformanceOf(() => rowStoreWith({ keyOf }))).reports.values(),
    ];
    expect(first).toMatch(/keep and compare keys byte by byte/);
    expect(others.at(-1)).toContain(ROW_STORE_CONTRACT.sentences.keys);
  });

  it('fails without the means to crash and to lose the database', async () => {
    const { failed } = await conformanceOf(() => ({
      ...rowStoreWith({}),
      crash: undefined,
      failAt: undefined,
      cutOff: undefined,
    }));
    expect(failed).toEqual([
      'a row store: confirms and reads nothing without its database',
      'a row store: has all rows or none of a write that a crash has cut off',
      'a row store: has all rows or none of a write that has failed',
    ]);
  });

  it('refuses a store of which no check has broken a write, unless it says why none can', async () => {
    const absent = { crash: false, failAt: false, cutOff: false } as const;
    const careless: RowStoreFault = { tears: true, stopsHalfway: true, queues: true };
    const silent = await conformanceOf(() => ({ ...rowStoreWith(careless), ...absent }));
    expect(silent.failed).toEqual([
      'a row store: was made to fail by one hook at least, or says why none can',
    ]);
    expect(silent.reports.get(silent.failed[0] ?? '')).toMatch(
      /was not checked: “When it fulfils, the rows survive a crash\.”\n`failAt` and `cutOff` are both absent/,
    );
    const unbreakable = 'one statement of an embedded database stores all rows';
    expect((await conformanceOf(() => ({ ...rowStoreWith({}), ...absent, unbreakable }))).failed).toEqual([]);
    expect(
      (await conformanceOf(() => ({ ...rowStoreWith({}), ...absent, unbreakable: ' ' }))).failed,
    ).toHaveLength(1);
  });

  it('asks for failures where a database cannot crash in the middle, and not beside crashes', async () => {
    const without = (crash: false | undefined) => () => {
      const made = rowStoreWith({});
      return { ...made, failAt: undefined, crash: crash ?? made.crash };
    };
    expect((await conformanceOf(without(undefined))).failed).toEqual([]);
    expect((await conformanceOf(without(false))).failed).toEqual([
      'a row store: has all rows or none of a write that has failed',
    ]);
  });
});
