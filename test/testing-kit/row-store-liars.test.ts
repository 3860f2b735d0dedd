/** Row stores with one fault each. The suite finds each fault and names it. */
import { describe, expect, it } from '@jest/globals';
import { rowStoreConformance, type RowStoreUnderTest } from '../../testing';
import { ROW_STORE_CONTRACT, type RowStoreSentence } from '../../testing/row-store-conformance/contract';
import { recordingRunner, type Recording } from '../storage/broken/recording-runner';
import { rowStoreWith, type RowStoreFault } from './liars/row-stores';

function conformanceOf(create: () => RowStoreUnderTest): Promise<Recording> {
  const { runner, run } = recordingRunner(expect);
  rowStoreConformance(runner, { create: async () => create(), timeLimitMs: 3_000 });
  return run();
}

const FAULTS: { does: string; fault: RowStoreFault; test: string; sentence: RowStoreSentence }[] = [
  {
    does: 'confirms rows before they are stored',
    fault: { loses: true },
    test: 'a row store: has what was confirmed when a process ends without closing it',
    sentence: 'kept',
  },
  {
    does: 'leaves half a write after a crash',
    fault: { tears: true },
    test: 'a row store: has all rows or none of a write that a crash has cut off',
    sentence: 'whole',
  },
  {
    does: 'lets two processes write',
    fault: { shares: true },
    test: 'a row store: is written by one process at a time',
    sentence: 'owner',
  },
  {
    does: 'keeps rows that were removed',
    fault: { keepsRemoved: true },
    test: 'a row store: has the newest row of each key, and none that was removed',
    sentence: 'removed',
  },
  {
    does: 'keeps the oldest row of a key',
    fault: { keepsFirst: true },
    test: 'a row store: has the newest row of each key, and none that was removed',
    sentence: 'rows',
  },
  {
    does: 'confirms rows without its database',
    fault: { queues: true },
    test: 'a row store: confirms and reads nothing without its database',
    sentence: 'lost',
  },
  {
    does: 'takes a database that is away for an empty one',
    fault: { forgets: true },
    test: 'a row store: confirms and reads nothing without its database',
    sentence: 'lost',
  },
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
  {
    does: 'reads the rows before it is the owner',
    fault: { readsFirst: true },
    test: 'a row store: loses no confirmed row to a process that takes over',
    sentence: 'handover',
  },
  {
    does: 'looks at the owner before it stores the rows',
    fault: { looksBefore: true },
    test: 'a row store: loses no confirmed row to a process that takes over',
    sentence: 'handover',
  },
  {
    does: 'leaves the rows before a failure',
    fault: { stopsHalfway: true },
    test: 'a row store: has all rows or none of a write that has failed',
    sentence: 'whole',
  },
];

describe('the row store conformance suite', () => {
  it.each([
    ['fails the writes of the process before', {}],
    ['refuses a second process', { locks: true } as const],
  ])('passes a store that %s', async (_does, fault) => {
    const { reports, passed } = await conformanceOf(() => rowStoreWith(fault));
    expect(reports).toEqual(new Map());
    expect(passed).toHaveLength(9);
  });

  it.each(FAULTS)('tells of a store that $does', async ({ fault, test, sentence }) => {
    const { reports, failed } = await conformanceOf(() => rowStoreWith(fault));
    expect(failed).toContain(test);
    expect(reports.get(test)).toContain(
      `The contract of the port RowStore is broken: “${ROW_STORE_CONTRACT.sentences[sentence]}”\nSeen: `,
    );
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
