/**
 * Completes package-lock.json after `npm install` from a registry that has the packages of one platform only (a mirror,
 * an offline cache). npm then leaves the optional packages of other platforms out of the lock, and `npm ci` refuses
 * such a lock. Run this script after `npm install` has changed the lock. With `--check` the script only reports.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const FILE = 'package-lock.json';
const SYSTEMS = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
];
const PROCESSORS = [
  'arm',
  'arm64',
  'ia32',
  'loong64',
  'mips64el',
  'ppc64',
  'riscv64',
  's390x',
  'wasm32',
  'x64',
];

/** The platform of a package by its name, as in `@rollup/rollup-linux-x64-musl`. */
function platform(name) {
  const words = name.split(/[/-]/);
  const os = name === 'fsevents' ? ['darwin'] : SYSTEMS.filter((system) => words.includes(system));
  const cpu = PROCESSORS.filter((processor) => words.includes(processor));
  const libc = /musl/.test(name) ? ['musl'] : /gnu|glibc/.test(name) ? ['glibc'] : [];
  return {
    ...(cpu.length > 0 && { cpu }),
    ...(libc.length > 0 && os[0] === 'linux' && { libc }),
    ...(os.length > 0 && { os }),
  };
}

/** The places where Node looks for `name` from the package at `place`, nearest first. */
function places(place, name) {
  const parts = place === '' ? [] : place.split(/\/?node_modules\//).slice(1);
  const roots = parts.map((_, index) => `node_modules/${parts.slice(0, index + 1).join('/node_modules/')}/`);
  return [...roots.reverse(), ''].map((root) => `${root}node_modules/${name}`);
}

function missingFromLock(lock) {
  const missing = [];
  for (const [place, entry] of Object.entries(lock.packages)) {
    for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
      if (places(place, name).some((candidate) => lock.packages[candidate] !== undefined)) continue;
      const version = /\d+\.\d+\.\d+[^\s|]*/.exec(range)?.[0];
      if (version === undefined) throw new Error(`${place}: cannot tell a version of ${name} from ${range}`);
      missing.push({ place: `node_modules/${name}`, version, dev: entry.dev === true, name });
    }
  }
  return missing;
}

/**
 * Whether a package for development claims to need Node 22. The lock leaves this claim out, because `npm ci` would
 * print a warning about it on Node 20.
 */
function wantsNewerNode({ dev, engines }) {
  return dev === true && engines?.node === '>=22';
}

function complete(lock) {
  for (const entry of Object.values(lock.packages)) if (wantsNewerNode(entry)) delete entry.engines;

  for (const { place, version, dev, name } of missingFromLock(lock)) {
    // If two versions of a package are missing, only the first version is added.
    lock.packages[place] ??= { version, ...platform(name), ...(dev && { dev: true }), optional: true };
  }
  const sorted = Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en'));
  return { ...lock, packages: Object.fromEntries(sorted) };
}

const lock = JSON.parse(readFileSync(FILE, 'utf8'));
if (process.argv.includes('--check')) {
  const missing = missingFromLock(lock);
  for (const { name, version } of missing) console.log(`missing from the lock: ${name}@${version}`);
  const warned = Object.entries(lock.packages).filter(([, entry]) => wantsNewerNode(entry));
  for (const [place] of warned) console.log(`npm ci would warn of the Node that ${place} wants`);
  process.exitCode = missing.length + warned.length > 0 ? 1 : 0;
} else {
  writeFileSync(FILE, `${JSON.stringify(complete(lock), null, 2)}\n`);
}
