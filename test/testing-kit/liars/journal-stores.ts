/** Row stores in a file: one line for each transaction, and a folder as the lock. Each has one fault at most. */
import { existsSync } from 'node:fs';
import { access, appendFile, mkdir, mkdtemp, open, readFile, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RowStore, StoredRow } from '../../../adapters/storage/memory';
import type { RowStoreUnderTest } from '../../../testing';
import { NO_SERVICE } from './row-stores';

export interface JournalFault {
  /** `write` keeps the rows, and `close` stores them. */
  storesAtClose?: true;
  /** `close` removes the lock, also after a `load` that was refused. */
  freesForeignLock?: true;
  /** Looks whether there is a lock, and makes one afterwards. */
  looksThenLocks?: true;
  /** `write` fulfils although the file has refused the rows. */
  hidesErrors?: true;
  /** `write` does not wait for the file. */
  doesNotWait?: true;
  /** A file that it cannot read counts as an empty one. */
  forgetsDamaged?: true;
  /** Stores only the first 500 rows of a `write`. */
  storesSome?: true;
  /** A line that a crash has cut off stays in the file. */
  keepsTornLine?: true;
  /** Confirms a write 200 ms before it is stored. */
  isLate?: true;
}

/** The disk of a test. A write can fail after a part of its rows. */
interface Disk {
  file: string;
  /** How many rows of the next write the disk takes. */
  takes: number;
  isAway: boolean;
}

async function append(disk: Disk, line: string): Promise<void> {
  const takes = disk.takes / (JSON.parse(line) as StoredRow[]).length;
  disk.takes = Infinity;
  if (disk.isAway) throw new Error('EIO: i/o error');
  await appendFile(disk.file, line.slice(0, line.length * takes));
  if (takes < 1) throw new Error('ENOSPC: no space left on device');
}

function journalStore(disk: Disk, fault: JournalFault): RowStore {
  const { file } = disk;
  const lock = `${file}.lock`;
  const buffer: string[] = [];
  let isOwner = false;

  async function takeLock(): Promise<void> {
    if (fault.looksThenLocks) {
      // `access` is asynchronous, so processes that load at the same time can all find no lock.
      const isLocked = await access(lock).then(
        () => true,
        () => false,
      );
      if (isLocked) throw new Error('another process has the rows');
      await mkdir(lock, { recursive: true });
    } else await mkdir(lock);
    isOwner = true;
  }

  async function read(): Promise<Map<string, string>> {
    if (disk.isAway) throw new Error('EIO: i/o error');
    const text = existsSync(file) ? await readFile(file, 'utf8') : '';
    const end = text.lastIndexOf('\n') + 1;
    const rows = new Map<string, string>();
    try {
      for (const line of text.slice(0, end).split('\n').filter(Boolean))
        for (const [key, row] of JSON.parse(line) as StoredRow[]) {
          if (row === null) rows.delete(key);
          else rows.set(key, row);
        }
    } catch (error) {
      if (!fault.forgetsDamaged) throw error;
    }
    if (end < text.length && !fault.keepsTornLine)
      await truncate(file, Buffer.byteLength(text.slice(0, end)));
    return rows;
  }

  async function letGo(): Promise<void> {
    if (isOwner || fault.freesForeignLock) await rm(lock, { recursive: true, force: true });
    isOwner = false;
  }

  return {
    async load() {
      await takeLock();
      try {
        return await read();
      } catch (error) {
        await letGo();
        throw error;
      }
    },
    async write(rows) {
      if (!isOwner) throw new Error('not loaded');
      const line = `${JSON.stringify(fault.storesSome ? rows.slice(0, 500) : rows)}\n`;
      if (fault.storesAtClose) return void buffer.push(line);
      if (fault.isLate) return void setTimeout(() => void append(disk, line).catch(() => undefined), 200);
      const work = append(disk, line);
      if (fault.doesNotWait) return void work.catch(() => undefined);
      await (fault.hidesErrors ? work.catch(() => undefined) : work);
    },
    async close() {
      for (const line of buffer.splice(0)) await append(disk, line);
      await letGo();
    },
  };
}

export async function journalWith(fault: JournalFault): Promise<RowStoreUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), 'journal-'));
  const disk: Disk = { file: join(folder, 'rows'), takes: Infinity, isAway: false };
  return {
    store: journalStore(disk, fault),
    another: async () => journalStore(disk, fault),
    async crash(store, rows, share) {
      const { size } = await stat(disk.file);
      await store.write(rows);
      const written = (await stat(disk.file)).size - size;
      await truncate(disk.file, size + Math.floor(written * share));
    },
    kill: () => rm(`${disk.file}.lock`, { recursive: true, force: true }),
    failAt: async (count) => void (disk.takes = count),
    cutOff: async () => void (disk.isAway = true),
    ...NO_SERVICE,
    async damage() {
      const file = await open(disk.file, 'r+');
      await file.write('#', 0);
      await file.close();
    },
    destroy: () => rm(folder, { recursive: true, force: true }),
  };
}
