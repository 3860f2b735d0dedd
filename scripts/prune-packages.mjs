/**
 * Deletes from node_modules what nothing here reads: source maps of packages, and what compiling a native module
 * leaves behind. `npm ci` runs it at its end. It takes a fifth off the space on disk. Another folder can be named.
 */
import { existsSync, lstatSync, readdirSync, rmSync } from 'node:fs';
import { join, sep } from 'node:path';

const SOURCE_MAP = /\.(?:[cm]?js|[cm]?ts|css)\.map$/;
/** Where node-gyp puts the finished module. Objects, their sources and libraries lie beside it. */
const COMPILED = join('build', 'Release');
const LEFT_BEHIND = new Set(['obj', 'obj.target', '.deps']);

const isCompilersFolder = (folder) => folder.endsWith(sep + COMPILED);

function prune(folder) {
  const compiled = isCompilersFolder(folder);
  // An entry that is a link is neither a file nor a folder: what it leads to belongs to others.
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && compiled && LEFT_BEHIND.has(entry.name)) rmSync(path, { recursive: true });
    else if (entry.isDirectory()) prune(path);
    else if (!entry.isFile()) continue;
    else if (SOURCE_MAP.test(entry.name) || (compiled && entry.name.endsWith('.a'))) rmSync(path);
  }
}

const packages = process.argv[2] ?? 'node_modules';
if (existsSync(packages) && lstatSync(packages).isDirectory()) prune(packages);
