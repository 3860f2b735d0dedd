/** Runs the published suites of the storage port and of row stores on `fileStorage` and `fileStore`. */
import { mkdir, mkdtemp, open, readFile, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Storage } from 'express-prediction-market';
import type { StoredRow } from 'express-prediction-market/storage/memory';
import { inspectRows, rowStoreConformance, storageConformance } from 'express-prediction-market/testing';
import { fileStorage, fileStore } from './storage.js';

const quiet = (): void => undefined;
const logger = { debug: quiet, info: quiet, warn: quiet, error: quiet };

async function opened(file: string): Promise<Storage> {
  const storage = fileStorage({ file });
  await storage.open({ logger });
  return storage;
}

storageConformance(
  { describe, it, expect },
  {
    // The lists come from the memory storage, whose own tests check their cost.
    provenElsewhere: ['pageCost', 'walkCost'],
    async create() {
      const folder = await mkdtemp(join(tmpdir(), 'file-storage-'));
      const file = join(folder, 'rows');
      const storage = await opened(file);
      return {
        storage,
        reopen: () => opened(file),
        inspect: inspectRows(() => rowsIn(file)),
        another: false, // one process at a time: a second one takes the file over
        cutOff: false, // a disk cannot be made unreachable here
        loseCommit: false,
        destroy: async () => {
          await storage.close();
          await rm(folder, { recursive: true });
        },
      };
    },
  },
);

rowStoreConformance(
  { describe, it, expect },
  {
    async create() {
      const folder = await mkdtemp(join(tmpdir(), 'file-store-'));
      const file = join(folder, 'rows');
      let space = Infinity; // how many rows of the next line the disk can take
      const make = () =>
        fileStore(file, async (log, text) => {
          const share = space / (JSON.parse(text) as StoredRow[]).length;
          space = Infinity;
          await log.appendFile(text.slice(0, text.length * share));
          if (share < 1) throw new Error('ENOSPC: no space left on device');
        });
      return {
        store: make(),
        another: async () => make(),
        async crash(store, rows, done) {
          const { size } = await stat(file);
          await store.write(rows);
          const written = (await stat(file)).size - size;
          await truncate(file, size + Math.floor(written * done));
        },
        failAt: async (count) => void (space = count),
        async cutOff() {
          await rm(`${file}.owner`);
          await mkdir(`${file}.owner`); // a folder in its place can be neither read nor replaced
        },
        async damage() {
          const handle = await open(file, 'r+');
          await handle.write('#', 0);
          await handle.close();
        },
        failWith: false, // a file: no service is asked
        redirect: false,
        garble: false,
        silence: false,
        destroy: () => rm(folder, { recursive: true }),
      };
    },
  },
);

/** Reads the file without the storage: the newest row of each key. */
async function rowsIn(file: string): Promise<Map<string, string>> {
  const rows = new Map<string, string>();
  for (const line of (await readFile(file, 'utf8')).split('\n').filter(Boolean)) {
    for (const [key, row] of JSON.parse(line) as StoredRow[]) {
      if (row === null) rows.delete(key);
      else rows.set(key, row);
    }
  }
  return rows;
}
