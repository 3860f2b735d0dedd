/**
 * Deletes from node_modules (or the folder that is named) what nothing here reads: source maps of packages, the
 * TypeScript that packages were made of, and what compiling a native module leaves behind. `npm ci` runs it at its end.
 */
import { lstatSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { basename, join, sep } from 'node:path';

const SOURCE_MAP = /\.(?:[cm]?js|[cm]?ts|css)\.map$/;
const TYPESCRIPT_SOURCE = /(?<!\.d)\.[cm]?tsx?$/;
const NAMES_A_SOURCE = /(?<!\.d)\.[cm]?tsx?"/;
/** The members of package.json that say which files others load. */
const ENTRIES = [
  'exports',
  'imports',
  'main',
  'module',
  'browser',
  'bin',
  'types',
  'typings',
  'typesVersions',
];
/** Where node-gyp puts the finished module. Objects, their sources and libraries are beside it. */
const COMPILED = join('build', 'Release');
const LEFT_BEHIND = new Set(['obj', 'obj.target', '.deps']);

function manifestOf(folder) {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  } catch {
    return {};
  }
}

/** The compiler reads sources only of a package that names them, or that does not say where its types are. */
function needsSources(folder) {
  const manifest = manifestOf(folder);
  if (['exports', 'types', 'typings'].every((member) => manifest[member] === undefined)) return true;
  return NAMES_A_SOURCE.test(JSON.stringify(ENTRIES.map((member) => manifest[member])));
}

/** Whether the folder is a package. There may be a scope between `node_modules` and the package. */
function isPackage(folder) {
  const [parent, grandparent] = folder.split(sep).slice(0, -1).reverse();
  return parent === 'node_modules' || (parent?.startsWith('@') === true && grandparent === 'node_modules');
}

function prune(folder, keepsSources) {
  const keeps = isPackage(folder) ? needsSources(folder) : keepsSources;
  const compiled = folder.endsWith(sep + COMPILED);
  const isUseless = (name) =>
    SOURCE_MAP.test(name) || (!keeps && TYPESCRIPT_SOURCE.test(name)) || (compiled && name.endsWith('.a'));
  // A link is neither a file nor a folder here. It is left alone, because its target may belong to another package.
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && compiled && LEFT_BEHIND.has(entry.name)) rmSync(path, { recursive: true });
    else if (entry.isDirectory()) prune(path, keeps);
    else if (entry.isFile() && isUseless(entry.name)) rmSync(path);
  }
  if (basename(folder) !== 'node_modules' && readdirSync(folder).length === 0) rmdirSync(folder);
}

const packages = process.argv[2] ?? 'node_modules';
if (lstatSync(packages, { throwIfNoEntry: false })?.isDirectory() === true) prune(packages, true);
