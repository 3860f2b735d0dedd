/** A storage that lacks members. One test of the suite lists all of them, and each other test that fails names one. */
import { describe, expect, it } from '@jest/globals';
import { memoryStorage } from '../../adapters/storage/memory';
import { silentLogger } from '../../src/ports/logger';
import type { Storage, Transaction } from '../../src/ports/storage';
import { storageConformance } from '../../testing/storage-conformance';
import { PROVEN_ELSEWHERE } from '../../testing/storage-conformance/contract';
import { recordingRunner, type Recording } from '../storage/broken/recording-runner';

const LIST = 'every member of the port is there';
const ABSENT = { durable: false, another: false, inspect: false, cutOff: false, loseCommit: false } as const;

function conformanceOf(change: (storage: Storage) => Storage): Promise<Recording> {
  const { runner, run } = recordingRunner(expect);
  storageConformance(runner, {
    async create() {
      const storage = memoryStorage();
      await storage.open({ logger: silentLogger });
      return { storage: change(storage), ...ABSENT, destroy: () => storage.close() };
    },
    provenElsewhere: PROVEN_ELSEWHERE,
  });
  return run();
}

/** The storage with only some of its repositories in transactions. */
function withOnly(names: readonly (keyof Transaction)[], storage: Storage): Storage {
  return {
    ...storage,
    transaction: (work) =>
      storage.transaction((whole) =>
        work(Object.fromEntries(names.map((name) => [name, whole[name]])) as unknown as Transaction),
      ),
  };
}

describe('a storage that is not finished', () => {
  it('is told all that is missing by one test, also its functions', async () => {
    const { failed, reports } = await conformanceOf((storage) => {
      const { snapshot, ...others } = withOnly(['settings', 'accounts'], storage);
      expect(typeof snapshot).toBe('function');
      return others as Storage;
    });
    expect(failed).toContain(LIST);
    const report = reports.get(LIST) ?? '';
    expect(report).toContain('`storage.snapshot` must be a method');
    expect(report).toContain('`transaction.challenges` of `transaction` must have');
    expect(report).toContain('`transaction.markets` of `transaction` must have');
    expect(report).not.toContain('settings');
  });

  it('is told of one method, and the tests that need it name it and the list', async () => {
    const { failed, reports } = await conformanceOf((storage) => ({
      ...storage,
      transaction: (work) =>
        storage.transaction((whole) =>
          work({ ...whole, challenges: { ...whole.challenges, consume: undefined as never } }),
        ),
    }));
    expect(reports.get(LIST)).toContain('`transaction.challenges` of `transaction` lacks consume\n');
    const others = failed.filter((name) => name !== LIST);
    expect(others.length).toBeGreaterThan(0);
    for (const name of others)
      expect(reports.get(name)).toMatch(
        /`transaction\.challenges\.consume` is missing\. The check .*every member of the port/,
      );
  });

  it('is never told of a member of undefined', async () => {
    const { failed, reports } = await conformanceOf((storage) => withOnly([], storage));
    expect(failed.length).toBeGreaterThan(150);
    expect(reports.get(LIST)).not.toContain('…');
    for (const name of failed) expect(reports.get(name)).not.toMatch(/of undefined|is not a function/);
  });
});
