/**
 * A folder that the test files of a Jest run share. It is inside the project, so that Node finds the
 * packages.
 */
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

export const RUN_FOLDER = 'FOLDER_OF_TEST_RUN';

/** Called before the first test by each project of Jest. All projects get the same folder. */
export function makeRunFolder(): void {
  const folder = join(process.cwd(), '.tmp', `run-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  process.env[RUN_FOLDER] = folder;
}

export function removeRunFolder(): void {
  const folder = process.env[RUN_FOLDER];
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
}

/**
 * The path of a shared file. The first test file that asks for it writes it. `null` outside Jest, as in the
 * benches.
 */
export function madeOnce(name: string, write: (path: string) => void): string | null {
  const folder = process.env[RUN_FOLDER];
  if (folder === undefined) return null;
  const path = join(folder, name);
  if (!existsSync(path)) {
    // Another worker may make the file at the same time. Each worker writes to another name, and only a
    // complete file gets the shared name.
    const own = `${path}.${process.pid}`;
    write(own);
    renameSync(own, path);
  }
  return path;
}
