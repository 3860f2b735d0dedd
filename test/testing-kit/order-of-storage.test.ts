/** docs/storage-adapters.md says how many checks pass after each step of writing a storage. This test counts them. */
import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { memoryStorage } from '../../adapters/storage/memory';
import { silentLogger } from '../../src/ports/logger';
import type { Storage } from '../../src/ports/storage';
import { storageConformance } from '../../testing';
import { recordingRunner } from '../storage/broken/recording-runner';

/** The memory storage with only these repositories, as if the others were not written yet. */
async function storageWith(written: ReadonlySet<string>): Promise<Storage> {
  const storage = memoryStorage();
  await storage.open({ logger: silentLogger });
  const some = <T extends object>(all: T): T =>
    new Proxy(all, {
      get: (target, name) => (written.has(String(name)) ? Reflect.get(target, name) : undefined),
    });
  return {
    ...storage,
    read: (work) => storage.read((reader) => work(some(reader))),
    snapshot: (work, options) => storage.snapshot((reader) => work(some(reader)), options),
    transaction: (work, options) => storage.transaction((all) => work(some(all)), options),
  };
}

const absent = { another: false, inspect: false, cutOff: false, loseCommit: false, durable: false } as const;

async function passedWith(written: ReadonlySet<string>): Promise<string> {
  const { runner, run } = recordingRunner(expect);
  storageConformance(runner, {
    async create() {
      const storage = await storageWith(written);
      return { storage, ...absent, destroy: () => storage.close() };
    },
    provenElsewhere: ['pageCost', 'walkCost'],
  });
  const { passed, failed } = await run();
  return `${passed.length} of ${passed.length + failed.length}`;
}

it('each step of the document makes as many checks pass as it says', async () => {
  const page = readFileSync('docs/storage-adapters.md', 'utf8');
  const rows = [...page.matchAll(/^\| \d +\| (.+?) +\| (.+?) +\|$/gm)];
  expect(rows).toHaveLength(8);
  const written = new Set<string>();
  const measured: string[] = [];
  for (const [, names = ''] of rows) {
    for (const [, name = ''] of names.matchAll(/`(\w+)`/g)) written.add(name);
    measured.push(await passedWith(written));
  }
  expect(measured).toEqual(rows.map(([, , passed]) => passed));
});
