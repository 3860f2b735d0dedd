/**
 * Builds the documentation into built-docs or the named folder: `npm run build:docs`. `npm ci` runs this script too.
 * Without the packages for development the script builds nothing and succeeds, because a server can run without
 * documentation.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const output = process.argv[2] ?? 'built-docs';
const requireHere = createRequire(import.meta.url);

function isInstalled() {
  try {
    return [
      '@11ty/eleventy',
      'esbuild',
      'minisearch',
      'prismjs',
      'swagger-ui-dist/package.json',
      'typescript',
    ].every((name) => requireHere.resolve(name) !== '');
  } catch {
    return false;
  }
}

async function copyAssets() {
  const { build } = await import('esbuild');
  const folder = join(output, 'assets');
  mkdirSync(folder, { recursive: true });
  await build({
    entryPoints: {
      docs: 'site/browser/docs/main.ts',
      theme: 'site/browser/docs/theme.ts',
      api: 'site/browser/docs/api.ts',
      'docs-style': 'site/browser/docs/style.css',
      'api-style': 'site/browser/docs/api.css',
    },
    outdir: folder,
    bundle: true,
    minify: true,
    format: 'iife',
    target: ['es2022'],
    legalComments: 'none',
    logLevel: 'error',
  });
  for (const name of ['docs', 'api']) {
    cpSync(join(folder, `${name}-style.css`), join(folder, `${name}.css`));
    rmSync(join(folder, `${name}-style.css`));
  }
  cpSync('site/browser/docs/icon.svg', join(folder, 'icon.svg'));
  const swagger = dirname(requireHere.resolve('swagger-ui-dist/package.json'));
  for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js']) {
    const text = readFileSync(join(swagger, name), 'utf8')
      .replace(/\/[/*]# sourceMappingURL=.*$/m, '')
      // The page has a `main` of its own, and HTML allows only one.
      .replaceAll('createElement("main",', 'createElement("div",');
    writeFileSync(join(folder, name), text);
  }
}

async function build() {
  const { default: Eleventy } = await import('@11ty/eleventy');
  rmSync(output, { recursive: true, force: true });
  const eleventy = new Eleventy('site/docs/pages', output, {
    configPath: 'site/docs/eleventy.config.mjs',
    quietMode: true,
  });
  let pages = [];
  await eleventy.init();
  eleventy.eleventyConfig.userConfig.on('eleventy.after', ({ results }) => (pages = results));
  await eleventy.write();
  await copyAssets();
  const { sectionsOf } = await import('../site/docs/search-entries.mjs');
  const sections = pages.filter(({ url }) => !url.startsWith('/source/')).flatMap(sectionsOf);
  writeFileSync(join(output, 'assets/search.json'), JSON.stringify(sections));
}

if (isInstalled()) await build();
else process.stderr.write('The documentation is not built: packages for development are missing.\n');
