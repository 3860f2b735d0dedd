/**
 * Bundles site/browser into site/assets.generated.ts, a module of strings, so that the pages need no file at run time.
 * The module is not in the repository: `npm ci` and `npm run build:site` write it. Without the packages for
 * development, the script changes nothing. With --stdout it prints the module and does not write it.
 */
import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createRequire } from 'node:module';

const ENTRIES = 'site/browser/entries';
const OUTPUT = 'site/assets.generated.ts';
const TYPES = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' };

function isInstalled() {
  try {
    return createRequire(import.meta.url).resolve('esbuild') !== '';
  } catch {
    return false;
  }
}

const addressOf = (file) => `/site-assets/${basename(file)}`;
const extensionOf = (file) => file.slice(file.lastIndexOf('.') + 1);

async function bundle() {
  const { build } = await import('esbuild');
  return build({
    entryPoints: [...readdirSync(ENTRIES).map((file) => join(ENTRIES, file)), 'site/browser/style.css'],
    outdir: 'site-assets',
    entryNames: '[name]-[hash]',
    chunkNames: 'part-[hash]',
    bundle: true,
    // Pages share the parts that they have in common, and load charts and wallets only when they need them.
    splitting: true,
    format: 'esm',
    write: false,
    metafile: true,
    target: ['es2022'],
    charset: 'ascii',
    minify: true,
    // Licences of bundled packages ask for their notices.
    legalComments: 'eof',
    logLevel: 'error',
  });
}

/** The script of the element `<prediction-market>`: one file, because other sites load it by its address. */
async function bundleElement() {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    entryPoints: ['site/browser/embed/element.ts'],
    bundle: true,
    format: 'iife',
    write: false,
    target: ['es2022'],
    charset: 'ascii',
    minify: true,
    logLevel: 'error',
  });
  return outputFiles[0].text;
}

const AT_ONCE = ['import-statement'];
const EVER = ['import-statement', 'dynamic-import'];

function importsOf(outputs, file, kinds, found = new Set()) {
  for (const { path, kind } of outputs[file].imports) {
    if (!kinds.includes(kind) || found.has(path)) continue;
    found.add(path);
    importsOf(outputs, path, kinds, found);
  }
  return found;
}

function scriptOf(outputs, file) {
  const imports = importsOf(outputs, file, AT_ONCE);
  const later = [...importsOf(outputs, file, EVER)].filter((path) => !imports.has(path) && path !== file);
  return { path: addressOf(file), imports: [...imports].map(addressOf), later: later.map(addressOf) };
}

function moduleOf({ outputFiles, metafile: { outputs } }, element) {
  // No script may import the generated module. A fresh clone does not have it, and a bundle that contains it would grow
  // with every build.
  const held = Object.values(outputs).find(({ inputs }) => OUTPUT in inputs);
  if (held !== undefined) throw new Error(`${held.entryPoint ?? 'a part'} imports ${OUTPUT}`);
  const files = Object.fromEntries(
    outputFiles
      .map(({ path, text }) => [addressOf(path), { type: TYPES[extensionOf(path)], content: text }])
      .sort(([left], [right]) => (left < right ? -1 : 1)),
  );
  const pages = Object.entries(outputs).filter(([, { entryPoint }]) => entryPoint?.startsWith(ENTRIES));
  const scripts = Object.fromEntries(
    pages.map(([file, { entryPoint }]) => [basename(entryPoint, '.ts'), scriptOf(outputs, file)]),
  );
  const style = Object.keys(files).find((path) => path.endsWith('.css'));
  return `/** Generated from site/browser by scripts/build-site-assets.mjs: change the sources, then run \`npm run build:site\`. */
/** Every file by its address below the mount path of the pages. */
export const files: Readonly<Record<string, { type: string; content: string }>> = ${JSON.stringify(files, null, 2)};

/** The script of each page, the files that it imports at once, and those that it may import later. */
export const scripts = ${JSON.stringify(scripts, null, 2)};

export const style = ${JSON.stringify(style)};

/** The script of the element prediction-market. */
export const embedElement = ${JSON.stringify(element)};
`;
}

if (isInstalled()) {
  const source = moduleOf(await bundle(), await bundleElement());
  if (process.argv.includes('--stdout')) process.stdout.write(source);
  else await writeFile(OUTPUT, source);
} else
  process.stderr.write('The scripts of the pages are not built: packages for development are missing.\n');
