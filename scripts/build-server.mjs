/**
 * Bundles the standalone server into built-server/server.cjs: `npm run build:server`. `npm ci` runs it as well.
 * Packages stay outside the bundle, which is CommonJS.
 *
 * With --if-changed, as `npm start` calls it, it builds only if the bundle is missing or older than its sources. Where
 * the packages for development are not installed, it builds nothing, and with --if-changed it fails in these two cases.
 * --output=<folder> names another folder.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { digestOf, ENTRY, isOutdated, OUTPUT } from './server-sources.mjs';

const { values: given } = parseArgs({
  options: { 'if-changed': { type: 'boolean', default: false }, output: { type: 'string', default: OUTPUT } },
});
const root = process.cwd();
const bundle = join(given.output, 'server.cjs');

function isInstalled() {
  try {
    return createRequire(import.meta.url).resolve('esbuild') !== '';
  } catch {
    return false;
  }
}

/** The scripts of the pages are made of these folders, and the bundle contains them as strings. */
const PAGES = ['site/browser', 'src/client'];
const GENERATED = 'site/assets.generated.ts';

const filesOf = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));

/** Other processes may start the server meanwhile. They see the old file or the new one, never half of one. */
function replace(path, content) {
  const own = `${path}.${process.pid}`;
  writeFileSync(own, content);
  renameSync(own, path);
}

async function build() {
  execFileSync(process.execPath, ['scripts/build-site-assets.mjs'], { stdio: 'inherit' });
  const esbuild = await import('esbuild');
  const { outputFiles, metafile } = await esbuild.build({
    entryPoints: [ENTRY],
    outfile: bundle,
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    packages: 'external',
    // tsconfig.json maps our own name to the sources.
    tsconfig: 'tsconfig.json',
    // Code that needs its own path asks `__filename` first, so a bundle in CommonJS needs no
    // `import.meta.url`.
    define: { 'import.meta.url': 'undefined' },
    logLevel: 'error',
  });
  const inputs = Object.keys(metafile.inputs).filter((file) => file !== GENERATED);
  const files = [...new Set([...inputs, ...PAGES.flatMap(filesOf)])].sort();
  mkdirSync(given.output, { recursive: true });
  replace(bundle, outputFiles[0].text);
  replace(join(given.output, 'sources.json'), JSON.stringify({ digest: digestOf(root, files), files }));
}

const isCurrent = () => existsSync(bundle) && !isOutdated(root, given.output);

if (given['if-changed'] && isCurrent()) process.exit(0);
if (isInstalled()) {
  await build();
  if (given['if-changed']) process.stderr.write('The server was built anew: its sources have changed.\n');
} else if (given['if-changed']) {
  process.stderr.write(
    `cannot start: ${bundle} is missing or older than the sources; npm ci with the packages for development builds it\n`,
  );
  process.exit(1);
} else process.stderr.write('The server is not built: packages for development are missing.\n');
