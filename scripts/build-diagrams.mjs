/**
 * Draws the diagrams of the documents into site/docs/diagrams: run `npm run build:diagrams` after a change of a
 * diagram. The package that draws is downloaded for this call only.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { diagramFile } from '../site/docs/markdown.mjs';

const FOLDER = 'site/docs/diagrams';
const DRAWING = 'beautiful-mermaid@1.1.3';
/**
 * The factor for all font sizes. The boxes are as wide as their labels in a narrow font, and the sans-serif font of
 * some systems is wider.
 */
const FONT_SCALE = 0.87;

const texts = readdirSync('docs')
  .filter((name) => name.endsWith('.md'))
  .flatMap((name) => [...readFileSync(join('docs', name), 'utf8').matchAll(/^```mermaid\n([^]*?)^```$/gm)])
  .map(([, text]) => text);

const place = mkdtempSync(join(tmpdir(), 'diagrams-'));
execFileSync('npm', ['install', '--silent', '--no-save', '--prefix', place, DRAWING], { stdio: 'inherit' });
const { renderMermaidSVG } = await import(join(place, 'node_modules/beautiful-mermaid/dist/index.js'));
const drawn = texts.map((text) => renderMermaidSVG(text, { transparent: true }));
rmSync(place, { recursive: true, force: true });

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
for (const [index, svg] of drawn.entries()) {
  // Inline styles are removed, because a strict Content-Security-Policy refuses them. The style sheet of the
  // pages has the same rules. The ids of two diagrams on one page have to differ.
  const own = svg
    .replace(/<style>[^]*?<\/style>/, '')
    .replace(/(<svg[^>]*) style="[^"]*"/, '$1')
    .replace(/id="([\w-]+)"/g, `id="$1-${index}"`)
    .replace(/url\(#([\w-]+)\)/g, `url(#$1-${index})`)
    .replace(/font-size="([\d.]+)"/g, (_, size) => `font-size="${Math.round(size * FONT_SCALE * 10) / 10}"`);
  writeFileSync(diagramFile(texts[index]), `${own.trim()}\n`);
}
