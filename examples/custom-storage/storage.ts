/**
 * A storage of your own, the short way: the tables and their rules are those of the memory storage, and this file
 * says where the rows are kept. Here each transaction is one line of a file.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, writeFile, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Storage } from 'express-prediction-market';
import { memoryStorage, type RowStore, type StoredRow } from 'express-prediction-market/storage/memory';

export function fileStorage({ file }: { file: string }): Storage {
  return { ...memoryStorage({ store: fileStore(file) }), name: 'file' };
}

type Append = (log: FileHandle, text: string) => Promise<void>;

/** `append` writes to the file. A test can pass in a function that fails, as on a full disk. */
export function fileStore(file: string, append: Append = (log, text) => log.appendFile(text)): RowStore {
  const ownerFile = `${file}.owner`;
  const owner = randomUUID();
  let log: FileHandle | null = null;

  return {
    async load() {
      await mkdir(dirname(file), { recursive: true });
      // The owner file is replaced before the rows are read. From now on, the writes of an earlier process
      // that still runs fail.
      await replace(ownerFile, owner);
      const rows = rowsOf(await readFile(file, 'utf8').catch(emptyIfMissing));
      // The file is written anew, without rows that were replaced and without a line that a crash has cut off.
      await replace(file, rows.size === 0 ? '' : lineOf([...rows]));
      log = await open(file, 'a');
      return rows;
    },

    async write(rows) {
      if (log === null) throw new Error('not loaded');
      await append(log, lineOf(rows));
      await log.datasync(); // the rows are on the disk, and not only in a buffer
      // The owner is read after the rows are on the disk. If it is still this process, a later owner will
      // load these rows.
      if ((await readFile(ownerFile, 'utf8')) !== owner)
        throw new Error(`another process has opened ${file}`);
    },

    close: async () => log?.close(),
  };
}

const lineOf = (rows: readonly StoredRow[]): string => `${JSON.stringify(rows)}\n`;

/** The newest row of each key. What follows the last line break was never confirmed. */
function rowsOf(text: string): Map<string, string> {
  const rows = new Map<string, string>();
  for (const line of text.split('\n').slice(0, -1)) {
    for (const [key, row] of JSON.parse(line) as StoredRow[]) {
      if (row === null) rows.delete(key);
      else rows.set(key, row);
    }
  }
  return rows;
}

/** Writes a file so that a crash leaves the old content or the new one. */
async function replace(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, text, { flush: true });
  await rename(draft, path);
  const folder = await open(dirname(path));
  await folder.sync(); // the new name is on the disk too
  await folder.close();
}

function emptyIfMissing(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return '';
  throw error;
}
