/** A folder for what the files of a run of Jest share, inside of the project, where the packages are found. */
import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';

/** Set by run-setup.ts. */
export const RUN_FOLDER = 'FOLDER_OF_TEST_RUN';

/** The path of a file that the first test file to ask for it has written; `null` outside of Jest, as in the benches. */
export function madeOnce(name: string, write: (path: string) => void): string | null {
  const folder = process.env[RUN_FOLDER];
  if (folder === undefined) return null;
  const path = join(folder, name);
  if (!existsSync(path)) {
    // Another worker may make the same: each writes a file of its own, and the name is given to a whole one.
    const own = `${path}.${process.pid}`;
    write(own);
    renameSync(own, path);
  }
  return path;
}
