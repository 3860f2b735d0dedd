/**
 * The documentation as a static site: the documents, the reference of types, and the source files to which documents
 * link.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { codeBlock, createMarkdown, targetOf } from './markdown.mjs';
import { addressOf, navigation } from './navigation.mjs';
import { typePages } from './types.mjs';

const LAYOUT = 'page.11ty.js';

export const documents = [
  ...readdirSync('docs').flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : [])),
  'CONTRIBUTING.md',
  'CHANGELOG.md',
];

/**
 * The files that documents link to, without documents, pictures, `node_modules` and package-lock.json. A link to a
 * folder adds the other files in it.
 */
function linkedSources() {
  const paths = new Set();
  const add = (path) => {
    if (!existsSync(path) || /\.(md|png|svg)$|(^|\/)(node_modules|package-lock\.json)/.test(path)) return;
    paths.add(path);
    if (statSync(path).isDirectory()) for (const name of readdirSync(path)) add(join(path, name));
  };
  for (const source of documents) {
    const links = readFileSync(source, 'utf8').matchAll(/\]\(([^)\s]+)\)/g);
    for (const [, href] of links) add(targetOf(source, href) ?? '');
  }
  return [...paths];
}

function sourcePage(path) {
  const title = `\`${path}\``;
  if (!statSync(path).isDirectory()) {
    const language = path.split('.').pop() ?? '';
    return `<h1><code>${path}</code></h1>\n${codeBlock(readFileSync(path, 'utf8'), language === 'mts' ? 'ts' : language)}`;
  }
  const items = readdirSync(path)
    .filter((name) => !/^(node_modules|package-lock\.json)$/.test(name))
    .map((name) => `<li><a href="${path.split('/').pop()}/${name}"><code>${name}</code></a></li>`);
  return `<h1>${title.replaceAll('`', '')}</h1>\n<ul>${items.join('\n')}</ul>`;
}

function titleOf(text) {
  return /^# (.*)$/m.exec(text)?.[1]?.replaceAll('`', '') ?? '';
}

export default function configure(eleventy) {
  eleventy.setLibrary('md', createMarkdown());
  eleventy.addGlobalData('layout', LAYOUT);
  eleventy.addPassthroughCopy({ 'docs/pictures': 'pictures' });
  for (const source of documents) {
    const text = readFileSync(source, 'utf8');
    const name = addressOf(source);
    eleventy.addTemplate(`${name}.md`, text, { source, title: titleOf(text), permalink: `${name}.html` });
  }
  for (const { name, title, text } of typePages()) {
    eleventy.addTemplate(`${name}.md`, text, { source: 'docs/types.md', title, permalink: `${name}.html` });
  }
  for (const path of linkedSources()) {
    eleventy.addTemplate(`source-${path.replaceAll('/', '-')}.html`, sourcePage(path), {
      title: path,
      permalink: `source/${path}.html`,
      unlisted: true,
    });
  }
  eleventy.addGlobalData('navigation', () => navigation.map(onlyExisting));
}

/** Entries of documents that do not exist are left out. */
function onlyExisting({ entries, ...section }) {
  return {
    ...section,
    entries: entries.filter(([path]) => !path.includes('.md') || existsSync(path.split('#')[0])),
  };
}

export const config = {
  dir: { input: 'site/docs/pages', layouts: '../layouts' },
  markdownTemplateEngine: false,
  htmlTemplateEngine: false,
  templateFormats: ['md', 'html', '11ty.js'],
};
