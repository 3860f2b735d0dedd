/**
 * Bundles site/browser into site/assets.generated.ts, a module of strings. So the pages need no file at run
 * time, and work from the sources, from both builds and inside the bundle of an app. Run this script after a
 * change in site/browser (`npm run build:site`). A test fails if site/assets.generated.ts is older than
 * site/browser. With --stdout the script prints the module and does not write it.
 */
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { build } from 'esbuild';

async function bundle(entry) {
  const result = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'iife',
    target: ['es2022'],
    charset: 'ascii',
    minify: true,
    // The lines are short, so that a change of one part is a small change of the generated file.
    lineLimit: 120,
    legalComments: 'none',
    logLevel: 'error',
  });
  return result.outputFiles[0].text;
}

function asset(name, extension, type, content) {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 12);
  const lines = content.trimEnd().split('\n');
  const literal = lines.map((line) => `    ${JSON.stringify(line)},`).join('\n');
  return `  ${name}: {
    path: '/site-assets/site.${hash}.${extension}',
    type: '${type}; charset=utf-8',
    content: [
${literal}
    ].join('\\n'),
  },`;
}

const script = await bundle('site/browser/main.ts');
const style = await bundle('site/browser/style.css');
const source = `/** Generated from site/browser by scripts/build-site-assets.mjs: change the sources, then run \`npm run build:site\`. */
export const assets = {
${asset('script', 'js', 'text/javascript', script)}
${asset('style', 'css', 'text/css', style)}
};
`;
if (process.argv.includes('--stdout')) process.stdout.write(source);
else await writeFile('site/assets.generated.ts', source);
