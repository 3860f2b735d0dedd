/**
 * Storages with one fault each: between handles, after a reopening, while the database is away, or in calls
 * that never end. The suite finds each fault and names it.
 */
import { describe, expect, it } from '@jest/globals';
import { memoryStorage } from '../../adapters/storage/memory';
import { silentLogger } from '../../src/ports/logger';
import type { Storage } from '../../src/ports/storage';
import {
  storageConformance,
  type ConformanceTarget,
  type StorageUnderTest,
} from '../../testing/storage-conformance';
import {
  PROVEN_ELSEWHERE,
  STORAGE_CONTRACT,
  type StorageSentence,
} from '../../testing/storage-conformance/contract';
import * as disks from '../storage/broken/disk';
import * as endless from '../storage/broken/endless';
import { recordingRunner, type Recording } from '../storage/broken/recording-runner';

function conformanceOf(target: Partial<ConformanceTarget>, only?: string): Promise<Recording> {
  const { runner, run } = recordingRunner(expect);
  storageConformance(runner, {
    create: () => disks.onDisk(disks.soundDisk),
    provenElsewhere: PROVEN_ELSEWHERE,
    timeLimitMs: 3_000,
    ...target,
  });
  return run(only);
}

/** Expects that the report of a test contains the sentence and what was seen. */
function expectReport({ reports, failed }: Recording, test: string, sentence: StorageSentence): void {
  expect(failed).toContain(test);
  expect(reports.get(test)).toContain(
    `The contract of the port Storage is broken: “${STORAGE_CONTRACT.sentences[sentence]}”\nSeen: `,
  );
}

const REOPENED = 'data that are opened again';

const ON_DISK: { fault: string; disk: disks.Disk; test: string; sentence: StorageSentence }[] = [
  {
    fault: 'writes nothing to disk',
    disk: disks.writesNothing,
    test: `${REOPENED}: hold one row of every kind when the handle was closed`,
    sentence: 'kept',
  },
  {
    fault: 'opens empty every time',
    disk: disks.opensEmpty,
    test: `${REOPENED}: hold the last of many commits when the handle was left lying as by a crash`,
    sentence: 'kept',
  },
  {
    fault: 'loses everything when the last handle is closed',
    disk: disks.losesOnReopen,
    test: `${REOPENED}: take what a later handle writes`,
    sentence: 'kept',
  },
  {
    fault: 'loses the last write when it is closed',
    disk: disks.losesTheLastWrite,
    test: `${REOPENED}: hold the last of many commits when the handle was closed`,
    sentence: 'kept',
  },
  {
    fault: 'answers stale reads to other handles',
    disk: disks.answersStaleReads,
    test: 'isolation: what a handle has read before does not hide what another commits',
    sentence: 'kept',
  },
  {
    fault: 'forgets leases with the handle',
    disk: disks.forgetsLeases,
    test: 'leases: are won by exactly one of many at once',
    sentence: 'lease',
  },
  {
    fault: 'forgets idempotency keys with the handle',
    disk: disks.forgetsIdempotency,
    test: 'idempotency: a taken key makes the transaction run again whole, and the next run finds it',
    sentence: 'takenKey',
  },
  {
    fault: 'forgets challenges with the handle',
    disk: disks.forgetsChallenges,
    test: `${REOPENED}: hold one row of every kind when the handle was closed`,
    sentence: 'kept',
  },
  {
    fault: 'counts ids anew with each handle',
    disk: disks.countsIdsAnew,
    test: 'markets: get ids of their own',
    sentence: 'nextId',
  },
  {
    fault: 'takes a commit whose answer is lost for done',
    disk: disks.believesLostCommits,
    test: 'a storage that is away: tells of a commit whose answer is lost, and has all of it or none',
    sentence: 'unknownCommit',
  },
  {
    fault: 'runs a transaction again whose commit was done',
    disk: disks.repeatsLostCommits,
    test: 'a storage that is away: tells of a commit whose answer is lost, and has all of it or none',
    sentence: 'unknownCommit',
  },
  {
    fault: 'says in words of its own that it is away',
    disk: disks.hasWordsOfItsOwn,
    test: 'a storage that is away: rejects every call in time',
    sentence: 'away',
  },
];

const ENDLESS: { fault: string; tamper: (s: Storage) => Storage; test: string; sentence: StorageSentence }[] =
  [
    {
      fault: 'has the same page of events at every call',
      tamper: endless.withEndlessPages,
      test: 'events: come back as they were appended, numbered without a gap',
      sentence: 'sequence',
    },
    {
      fault: 'never has all events numbered',
      tamper: endless.withEndlessNumbering,
      test: 'events: that were rolled back leave no gap',
      sentence: 'sequence',
    },
    {
      fault: 'waits for a lock without an end',
      tamper: endless.withEndlessLocks,
      test: 'concurrency: no update of a locked market is lost',
      sentence: 'serial',
    },
    {
      fault: 'never lets go when it is closed',
      tamper: endless.withEndlessClose,
      test: 'a storage: refuses with SERVICE_UNAVAILABLE once it is closed, and runs nothing',
      sentence: 'closed',
    },
    {
      fault: 'never answers a ping',
      tamper: endless.withEndlessPing,
      test: 'a storage: has a name and answers a ping',
      sentence: 'name',
    },
  ];

async function onMemory(tamper: (storage: Storage) => Storage) {
  const storage = tamper(memoryStorage());
  await storage.open({ logger: silentLogger });
  const hooks = { durable: false, another: false, inspect: false, cutOff: false, loseCommit: false } as const;
  return { storage, ...hooks, destroy: async () => undefined };
}

describe('the storage conformance suite', () => {
  it('passes a storage that keeps what is committed and can be cut off', async () => {
    expect((await conformanceOf({})).reports).toEqual(new Map());
  });

  it.each(ON_DISK)('tells of a storage that $fault', async ({ disk, test, sentence }) => {
    const recording = await conformanceOf({ create: () => disks.onDisk(disk) });
    expectReport(recording, test, sentence);
    // The fault does not make every test fail.
    expect(recording.passed.length).toBeGreaterThan(20);
  });

  it.each(ENDLESS)('ends, and tells of a storage that $fault', async ({ tamper, test, sentence }) => {
    const target = { create: () => onMemory(tamper), timeLimitMs: 300 };
    expectReport(await conformanceOf(target, test), test, sentence);
  });

  it('names the call that was not answered', async () => {
    const target = { create: () => onMemory(endless.withEndlessPing), timeLimitMs: 50 };
    const { reports } = await conformanceOf(target, 'a storage: has a name');
    expect([...reports.values()].join()).toContain('has not ended after 50 ms; not answered: storage.ping');
  });

  it('does not take the word of the adapter alone that data are kept', async () => {
    const absent = { another: false, inspect: false, cutOff: false, loseCommit: false } as const;
    const create = async () => {
      const disk = await disks.soundDisk();
      const storage = await disk.handle();
      return { storage, reopen: () => disk.handle(), ...absent, destroy: () => storage.close() };
    };
    const { failed, reports } = await conformanceOf({ create });
    expect(failed).toEqual([`${REOPENED}: can be opened again, or are declared not durable`]);
    expect([...reports.values()].join()).toContain('Give one of them, or declare `durable: false`.');
  });

  it('names each sentence for which it was given no means to look', async () => {
    const { runner, run } = recordingRunner(expect);
    storageConformance(runner, {
      async create() {
        const storage = memoryStorage();
        await storage.open({ logger: silentLogger });
        // A test in JavaScript has no types, so it may leave hooks out.
        return { storage, destroy: () => storage.close() } as StorageUnderTest;
      },
    });
    const { reports, passed } = await run();
    const advice = [...reports].map(([test, report]) => `${test} | ${report.split('\n').at(-1) ?? ''}`);
    const elsewhere = (name: string): string =>
      `what tests of your own hold: ${name} is named in provenElsewhere | No suite can check this from outside. Check it in a test of your own, and name \`${name}\` in \`provenElsewhere\`.`;
    expect(advice).toEqual([
      'the means to look: a second handle is given, or declared absent | Give `another` (opens a second handle on the same data), or declare `another: false`.',
      'the means to look: a look at the rows is given, or declared absent | Give `inspect` (reads the rows without the adapter), or declare `inspect: false`.',
      'data that are opened again: can be opened again, or are declared not durable | Give `reopen` (opens the same data again), or declare `durable: false`.',
      'a storage that is away: rejects every call in time | Give `cutOff` (makes the services that the storage depends on unreachable), or declare `cutOff: false`.',
      'a storage that is away: tells of a commit whose answer is lost, and has all of it or none | Give `loseCommit` (loses the answer to the next commit), or declare `loseCommit: false`.',
      ...['pageCost', 'walkCost'].map(elsewhere),
    ]);
    for (const report of reports.values())
      expect(report).toMatch(/^The contract of the port Storage was not checked: “.+”\n/);
    expect(passed.length).toBeGreaterThan(100);
  });
});
