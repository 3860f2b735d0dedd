/** The folder is inside the project, so that programs in it find the packages in node_modules. */
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

export const RUN_FOLDER = 'FOLDER_OF_TEST_RUN';

export function makeRunFolder(): void {
  const folder = join(process.cwd(), '.tmp', `run-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  process.env[RUN_FOLDER] = folder;
}

export function removeRunFolder(): void {
  const folder = process.env[RUN_FOLDER];
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
}

export function madeOnce(name: string, write: (path: string) => void): string | null {
  const folder = process.env[RUN_FOLDER];
  if (folder === undefined) return null;
  const path = join(folder, name);
  if (!existsSync(path)) {
    // Other workers may make the file at the same time, so each worker writes to another name and then renames.
    const own = `${path}.${process.pid}`;
    write(own);
    renameSync(own, path);
  }
  return path;
}
