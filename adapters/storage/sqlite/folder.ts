/** Makes the folder of the database file, and explains why a file cannot be opened. */
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { serviceUnavailable } from '../../../src/domain/errors';
import { unusableDatabase } from '../../shared/sql/run-migrations';
import { withinTime } from '../../../src/ports/time-limit';
import type { Timers } from '../../../src/ports/timers';

/** The time limit for making the folder, which may be on a network server that does not answer. */
const FOLDER_MS = 10_000;

/** Makes the folder of the file. Rejects with an error that names the folder. */
export async function makeFolderOf(
  file: string,
  timers: Timers,
  make: (folder: string) => Promise<void> = makeFolder,
): Promise<void> {
  const folder = dirname(file);
  let isLate = true;
  const making = make(folder).finally(() => (isLate = false));
  try {
    await withinTime(timers, FOLDER_MS, making);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const text = `sqliteStorage: cannot make the folder ${folder} of the database file: ${reason}. Make it, and give it to the user of this process`;
    throw isLate ? new Error(text, { cause: error }) : unusableDatabase(text, error);
  }
}

/**
 * Makes the folder and its parents. Node's own recursive `mkdir` is not used, because Node 20 never ends it in
 * places such as /proc, where no folder can be made.
 */
async function makeFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => null);
  if (found?.isDirectory() === true) return;
  if (found !== null) throw new Error(`${folder} is not a folder`);
  if (dirname(folder) !== folder) await makeFolder(dirname(folder));
  await mkdir(folder).catch(async (error: unknown) => {
    // Another process may have made the folder meanwhile.
    if ((await stat(folder).catch(() => null))?.isDirectory() !== true) throw error;
  });
}

const COPY =
  'To read a file that you may not write, copy it, and <file>-wal if there is one, into a folder of yours';
const CURES: Record<string, string> = {
  CANTOPEN: `the user of this process has to be able to read and write the file and its folder. ${COPY}`,
  READONLY: `the user of this process has to be able to write the file and its folder. ${COPY}`,
  NOTADB: 'the file is no SQLite database: name another one, or restore a backup',
  CORRUPT: 'the file is damaged: restore a backup',
};

/**
 * Adds the path and a cure to an error of SQLite for which `CURES` has one. Other errors stay as they are.
 */
export function openingError(error: unknown, file: string): unknown {
  // Under some test runners the errors of a native driver belong to another realm, where instanceof fails.
  const { message } = (error ?? {}) as { message?: unknown };
  if (typeof message !== 'string') return error;
  const code = /SQLITE_(CANTOPEN|READONLY|NOTADB|CORRUPT)/.exec(message)?.[1] ?? '';
  const cure = CURES[code];
  if (cure === undefined) return error;
  const text = `${message}: ${file}; ${cure}`;
  return serviceUnavailable('The storage is not available', unusableDatabase(text, error));
}
