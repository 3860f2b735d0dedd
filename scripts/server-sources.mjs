/**
 * Tells whether the sources of the built server have changed since the build. The build stores a digest of the sources
 * beside the bundle, because times say nothing after a copy of the folder.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ENTRY = 'scripts/server-entry.mjs';
export const OUTPUT = 'built-server';

/** `files` are paths from `root`. A file that is gone changes the digest. */
export function digestOf(root, files) {
  const digest = createHash('sha256');
  for (const file of files) {
    const path = join(root, file);
    digest
      .update(`${file}\0`)
      .update(existsSync(path) ? readFileSync(path) : '\0gone')
      .update('\0');
  }
  return digest.digest('hex');
}

/** Whether the sources have changed since the build. False where there are no sources, as in a container image. */
export function isOutdated(root, output = join(root, OUTPUT)) {
  if (!existsSync(join(root, ENTRY))) return false;
  const { files, digest } = JSON.parse(readFileSync(join(output, 'sources.json'), 'utf8'));
  return digestOf(root, files) !== digest;
}
