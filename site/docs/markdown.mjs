/**
 * Markdown as the documents use it: anchors as GitHub makes them, links to other documents, highlighted code, and
 * diagrams as pictures.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import MarkdownIt from 'markdown-it';
import Prism from 'prismjs';
import loadLanguages from 'prismjs/components/index.js';
import { addressOf } from './navigation.mjs';

loadLanguages.silent = true;
loadLanguages(['typescript', 'tsx', 'bash', 'json']);

const LANGUAGES = {
  ts: 'typescript',
  tsx: 'tsx',
  js: 'javascript',
  mjs: 'javascript',
  sh: 'bash',
  json: 'json',
  jsonc: 'json',
};
const NAMES = {
  ts: 'TypeScript',
  tsx: 'TypeScript',
  js: 'JavaScript',
  sh: 'Shell',
  json: 'JSON',
  jsonc: 'JSON',
};

export function slugOf(heading) {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\- _]/gu, '')
    .replaceAll(' ', '-');
}

/** The picture of a diagram is named by its text, so a picture of an older text is never shown. */
export function diagramFile(text) {
  const hash = createHash('sha256').update(text.trim()).digest('hex').slice(0, 16);
  return `site/docs/diagrams/${hash}.svg`;
}

/** Where a link of the document leads: the path of a file in the repository. `null` for other links. */
export function targetOf(source, href) {
  if (/^[a-z]+:|^\/|^#/i.test(href)) return null;
  return posix.join(posix.dirname(source), href.split('#')[0]).replace(/\/$/, '');
}

/** The address that a link of the document `source` has on the built page. */
export function rewritten(source, href) {
  const path = targetOf(source, href);
  if (path === null) return href;
  const [, anchor] = href.split('#');
  const end = anchor === undefined ? '' : `#${anchor}`;
  if (path === 'README.md') return `./${end}`;
  if (path.endsWith('.md')) return `${addressOf(path)}${end}`;
  if (/\.(png|svg)$/.test(path)) return `pictures/${posix.basename(path)}`;
  return `source/${path}${end}`;
}

/** Code of the kind `plain` is long and generated, so it gets no colours, which would make the page much larger. */
export function highlighted(code, language, kind = '') {
  if (kind === 'plain') return escapeHtml(code);
  const grammar = Prism.languages[LANGUAGES[language]];
  return grammar === undefined ? escapeHtml(code) : Prism.highlight(code, grammar, LANGUAGES[language]);
}

export function escapeHtml(text) {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** A block of code. It takes the focus, so that the keyboard can scroll it. */
export function codeBlock(code, info) {
  const [language = '', kind = ''] = info.trim().split(' ');
  const isOutput = kind === 'output';
  const label = isOutput ? 'Output' : /\.m[jt]s$/.test(kind) ? kind : (NAMES[language] ?? 'Text');
  return `<div class="code${isOutput ? ' output' : ''}"><p class="code-label">${escapeHtml(label)}</p><pre tabindex="0" role="region" aria-label="${escapeHtml(label)}"><code>${highlighted(code, language, kind)}</code></pre></div>\n`;
}

function diagram(text) {
  const file = diagramFile(text);
  const code = `<pre tabindex="0" role="region" aria-label="Diagram as text"><code>${escapeHtml(text)}</code></pre>`;
  if (!existsSync(file)) return `<div class="code">${code}</div>\n`;
  return `<figure class="diagram"><div class="picture" tabindex="0" role="img" aria-label="Diagram. Its text follows.">${readFileSync(file, 'utf8')}</div><details><summary>The diagram as text</summary>${code}</details></figure>\n`;
}

export function createMarkdown() {
  const markdown = new MarkdownIt({ html: false, linkify: true });
  markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
  markdown.core.ruler.push('anchors', ({ tokens, env: environment }) => addAnchors(tokens, environment));
  const { rules } = markdown.renderer;
  rules.fence = (tokens, index) => {
    const { info, content } = tokens[index];
    return info.trim() === 'mermaid' ? diagram(content) : codeBlock(content, info);
  };
  rules.code_block = (tokens, index) => codeBlock(tokens[index].content, '');
  rules.table_open = () => '<div class="table" tabindex="0" role="region" aria-label="Table"><table>\n';
  rules.table_close = () => '</table></div>\n';
  rules.link_open = (tokens, index, options, environment, self) => {
    const token = tokens[index];
    token.attrSet('href', rewritten(environment.source, token.attrGet('href') ?? ''));
    return self.renderToken(tokens, index, options);
  };
  const image = rules.image;
  rules.image = (tokens, index, options, environment, self) => {
    const token = tokens[index];
    token.attrSet('src', rewritten(environment.source, token.attrGet('src') ?? ''));
    return image(tokens, index, options, environment, self);
  };
  return markdown;
}

function textOf(inline) {
  return inline.children.map(({ content }) => content).join('');
}

/** Headings get their anchors first, so that these are the same as on GitHub. */
function addAnchors(tokens, environment) {
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open')
      token.attrSet('id', unique(slugOf(textOf(tokens[index + 1])), environment));
  }
  const items = tokens.filter((token, index) => token.type === 'inline' && beginsItem(tokens, index));
  const isBold = ({ children }) =>
    children.find(({ type, content }) => type === 'strong_open' || content !== '')?.type === 'strong_open';
  // Items that define names get their anchors first, so that these anchors have no number. An item that begins in
  // bold only explains a name.
  for (const { children } of [...items.filter((item) => !isBold(item)), ...items.filter(isBold)]) {
    for (const code of leadingCodes(children)) code.attrSet('id', unique(code.content, environment));
  }
}

/** Whether a text is the beginning of a list item or of a table row. */
function beginsItem(tokens, index) {
  const before = [tokens[index - 2]?.type, tokens[index - 1]?.type].join(' ');
  return before === 'list_item_open paragraph_open' || before === 'tr_open td_open';
}

const NAME = /^[A-Za-z]\w*([.-]\w+)*$/;

/** The names with which a text begins, such as `HOST`, `PORT`: what follows explains them. */
function leadingCodes(children) {
  const found = [];
  for (const child of children) {
    if (child.type === 'code_inline' && NAME.test(child.content)) found.push(child);
    else if (
      !/^(strong_(open|close)|softbreak)$/.test(child.type) &&
      !/^(,? (and|or) |, ?|)$/.test(child.content)
    )
      break;
  }
  return found;
}

/** The second anchor with the same text gets `-1`, as on GitHub. */
function unique(anchor, environment) {
  environment.anchors ??= new Map();
  const count = environment.anchors.get(anchor) ?? 0;
  environment.anchors.set(anchor, count + 1);
  return count === 0 ? anchor : `${anchor}-${count}`;
}
