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
import { foundBy, reportOf, type Found } from './fault-table';
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

/** Reads a text as `for await (const part of stream) text += part` does. */
function decodedInParts(row: string): string {
  const bytes = Buffer.from(row);
  let text = '';
  for (let start = 0; start < bytes.length; start += 65_536)
    text += bytes.subarray(start, start + 65_536).toString();
  return text;
}

const FAULTS: Found<RowStoreFault, RowStoreSentence>[] = [
  ...foundBy('a row store: has what was confirmed when a process ends without closing it', 'kept', {
    'confirms rows before they are stored': { loses: true },
  }),
  ...foundBy('a row store: has all rows or none of a write that a crash has cut off', 'whole', {
    'leaves half a write after a crash': { tears: true },
    'removes rows by a second line': { removesAfter: true },
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
  ...foundBy('a row store: is written by one process at a time', 'stale', {
    'stores rows of an earlier owner, and then refuses its write': { keepsStale: true },
  }),
  ...foundBy('a row store: is written by one process at a time', 'owner', {
    'takes the rows from their owner when an earlier owner closes': { endsOwner: true },
  }),
  ...foundBy('a row store: has all rows or none of a write of many rows that a crash has cut off', 'whole', {
    'writes 500 rows a line': { parts: 500 },
  }),
  ...foundBy('a row store: has all rows or none of a write of many rows that has failed', 'whole', {
    'commits after each 100 rows': { parts: 100 },
    'removes rows by a second transaction': { removesAfter: true },
  }),
  ...foundBy('a row store: can remove a key that it does not have, and write a row again', 'absent', {
    'deletes a key of a service that answers 404': { needsKey: true },
  }),
  ...foundBy('a row store: can remove a key that it does not have, and write a row again', 'rows', {
    'counts only the rows that a statement has changed': { needsChange: true },
    'only marks a removed row, and leaves the mark': { buries: true },
  }),
  ...foundBy('a row store: has every text as it was written', 'texts', {
    'ends lines at U+2028': { cannotRead: /\u2028/ },
    'ends lines at U+0085': { cannotRead: /\u0085/ },
    'refuses characters of four bytes': { cannotStore: /\p{Extended_Pictographic}/u },
    'stores a question mark for an emoji': {
      rowOf: (row: string) => row.replaceAll(/\p{Extended_Pictographic}/gu, '?'),
    },
    'writes texts into its statements without escaping them': { cannotStore: /'/ },
    'escapes quotation marks, but no backslash': { rowOf: (row: string) => row.replaceAll('\\\\', '\\') },
    'drops U+FEFF, as TextDecoder does': { rowOf: (row: string) => row.replaceAll('\ufeff', '') },
    'takes its rows for formats of printf': { rowOf: (row: string) => row.replaceAll('%%', '%') },
  }),
  ...foundBy('a row store: has a long row, and a row with a long key', 'sizes', {
    'cuts rows at 64 kB': { rowOf: (row: string) => row.slice(0, 65_535) },
    'cuts rows at a million characters': { rowOf: (row: string) => row.slice(0, 1_000_000) },
    'refuses a body of more than 1 MB': { cannotStore: /[^]{350000}/ },
    'decodes each part of a stream by itself': { rowOf: decodedInParts },
    'refuses a key of more than 255 bytes': { cannotStore: /^deposits[/]\p{Extended_Pictographic}{64}/u },
  }),
  ...Object.entries({
    'letter case': (key: string) => key.toLowerCase(),
    'spaces at the end': (key: string) => key.trimEnd(),
    accents: (key: string) => key.normalize('NFD').replaceAll(/\p{Mn}/gu, ''),
    'how an accent is written': (key: string) => key.normalize('NFC'),
    'the end of a long key': (key: string) => key.slice(0, 255),
    'the width of letters': (key: string) => key.normalize('NFKC'),
    'characters without a width': (key: string) => key.replaceAll(/\p{Cf}/gu, ''),
    'the difference between emoji': (key: string) => key.replaceAll(/\p{Extended_Pictographic}/gu, '?'),
    'characters that names of files lack': (key: string) => key.replaceAll(/\W/g, '_'),
    'what an address escapes': decodeURIComponent,
    'what a form escapes': (key: string) => key.replaceAll('+', ' '),
    'the query of an address': (key: string) => key.replace(/[?].*/, ''),
    'dots in an address': (key: string) => key.replace('k/../', ''),
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
    expect(passed).toHaveLength(26);
  });

  it.each(FAULTS)('tells of a store that $does', async ({ fault, test, sentence }) => {
    const { reports, failed } = await conformanceOf(() => rowStoreWith(fault));
    expect(failed).toContain(test);
    expect(reports.get(test)).toMatch(reportOf(ROW_STORE_CONTRACT, sentence));
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
    expect(others.join('\n')).toContain(ROW_STORE_CONTRACT.sentences.keys);
  });

  it('fails without the means to crash and to lose the database', async () => {
    const { failed } = await conformanceOf(() => {
      const { crash: _c, failAt: _f, cutOff: _o, ...rest } = rowStoreWith({});
      // A test in JavaScript has no types, so it may leave hooks out.
      return rest as RowStoreUnderTest;
    });
    expect(failed).toEqual([
      'a row store: confirms and reads nothing without its database',
      'a row store: has all rows or none of a write that a crash has cut off',
      'a row store: has all rows or none of a write of many rows that a crash has cut off',
      'a row store: has all rows or none of a write that has failed',
      'a row store: has all rows or none of a write of many rows that has failed',
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
      /was not checked: `failAt` and `cutOff` are both absent[^]*“When it fulfils, the rows survive a crash\.”/,
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
      'a row store: has all rows or none of a write of many rows that has failed',
    ]);
  });
});
